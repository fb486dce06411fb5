package org.streamon.spark.routes

import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.routes.AttributeValues

/** The attributes of a sampled row. One object serves all samples of a task. Texts are those of the row, so
  * they are valid as long as it is.
  *
  * @param size
  *   how many attributes
  */
final class SampledValues(val size: Int) extends AttributeValues {
  private val nulls = new Array[Boolean](size)
  private val numbers = new Array[Double](size)
  private val texts = new Array[UTF8String](size)

  def set(attribute: Int, isNull: Boolean, number: Double): Unit = {
    nulls(attribute) = isNull
    numbers(attribute) = number
  }

  def set(attribute: Int, isNull: Boolean, text: UTF8String): Unit = {
    nulls(attribute) = isNull
    texts(attribute) = text
  }

  def isNull(attribute: Int): Boolean = nulls(attribute)
  def number(attribute: Int): Double = numbers(attribute)

  /** A text that is too long to be kept is not copied first. */
  def category(attribute: Int): String = SampledValues.category(texts(attribute))
}

private[routes] object SampledValues {

  /** Bytes. The sample keeps no text of more than 64 characters, of at most 4 bytes each. */
  private val LongestText = 256

  /** None, which is null, for a text that is too long to be kept. */
  def category(text: UTF8String): String = if (text.numBytes > LongestText) null else text.toString
}
