package org.streamon.spark.execution.selections

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.unsafe.types.UTF8String

/** The rules that hold of a row. Reused for every row. Not thread-safe.
  *
  * @param namesOf
  *   by rule
  */
private[selections] final class HeldRules(namesOf: IndexedSeq[UTF8String]) {
  private var rules = new Array[Int](16)
  private var count = 0

  def size: Int = count

  def clear(): Unit = count = 0

  def add(rule: Int): Unit = {
    if (count == rules.length) rules = Arrays.copyOf(rules, 2 * count)
    rules(count) = rule
    count += 1
  }

  /** Their names, in ascending order of their numbers. */
  def names(): ArrayData = {
    Arrays.sort(rules, 0, count)
    val names = new Array[Any](count)
    var k = 0
    while (k < count) {
      names(k) = namesOf(rules(k))
      k += 1
    }
    new GenericArrayData(names)
  }

  /** Their numbers, in ascending order. */
  def numbers(): ArrayData = {
    Arrays.sort(rules, 0, count)
    UnsafeArrayData.fromPrimitiveArray(Arrays.copyOf(rules, count))
  }
}
