package org.streamon.spark.selections

import scala.reflect.ClassTag

import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.selections.{Constants, DenseConstants, SortedConstants}

/** Finds the region of a value among the constants of a construct. Immutable.
  *
  * @param ofNull
  *   the region of the nulls
  */
private[spark] sealed abstract class RegionLookup(val ofNull: Int) {

  /** Of a value as Spark has it in rows, or null. */
  def of(value: Any): Int
}

private[spark] object RegionLookup {

  /** @param isPointwise
    *   whether the regions between constants are all alike
    */
  def apply(key: RegionKey, constants: Constants[Any], isPointwise: Boolean): RegionLookup =
    (key, constants) match {
      case (number: RegionKey.Number, dense: DenseConstants[Any])   => new DenseLookup(number, dense)
      case (number: RegionKey.Number, sorted: SortedConstants[Any]) => new BucketLookup(number, as(sorted))
      case (RegionKey.Value(_: StringType), sorted: SortedConstants[Any]) =>
        new TextLookup(as(sorted), isPointwise)
      case (_: RegionKey.Value, _) => new ValueLookup(constants)
    }

  private def as[T: ClassTag](constants: SortedConstants[Any]): Array[T] =
    constants.sorted.map(_.asInstanceOf[T]).toArray

  /** The class of what is made for a key. */
  def classFor(key: RegionKey): Class[_ <: RegionLookup] = key match {
    case _: RegionKey.Number            => classOf[NumberLookup]
    case RegionKey.Value(_: StringType) => classOf[TextLookup]
    case _: RegionKey.Value             => classOf[ValueLookup]
  }
}

/** Of a key that is a number. */
private[spark] sealed abstract class NumberLookup(key: RegionKey.Number, nulls: Int)
    extends RegionLookup(nulls) {
  final override def of(value: Any): Int = if (value == null) ofNull else region(key.number(value))

  def region(key: Long): Int
}

/** The region of a number among close ones follows from it. */
private[spark] final class DenseLookup(key: RegionKey.Number, constants: DenseConstants[Any])
    extends NumberLookup(key, constants.ofNull) {
  override def region(key: Long): Int = constants.ofNumber(key)
}

/** Buckets of equal width tell between which constants a number is, so that few are left to compare. */
private[spark] final class BucketLookup(key: RegionKey.Number, constants: Array[Long])
    extends NumberLookup(key, 2 * constants.length + 1) {
  import BucketLookup._

  private val least = constants.headOption.getOrElse(0L)
  private val greatest = constants.lastOption.getOrElse(-1L)
  private val shift = {
    val most = BucketsPerConstant * constants.length.toLong
    // The distance of two numbers may have all 64 bits.
    Iterator
      .from(0)
      .find(s => s == 63 || java.lang.Long.compareUnsigned((greatest - least) >>> s, most) < 0)
      .get
  }

  /** By bucket, the first constant that is in it or behind it. */
  private val firstOf =
    if (constants.isEmpty) Array.emptyIntArray
    else {
      val buckets = ((greatest - least) >>> shift).toInt + 1
      val firsts = new Array[Int](buckets + 1)
      for (c <- constants) firsts(((c - least) >>> shift).toInt + 1) += 1
      for (b <- 0 until buckets) firsts(b + 1) += firsts(b)
      firsts
    }

  override def region(key: Long): Int =
    if (key < least) 0
    else if (key > greatest) 2 * constants.length
    else {
      val bucket = ((key - least) >>> shift).toInt
      var low = firstOf(bucket)
      var high = firstOf(bucket + 1) - 1
      while (low <= high) {
        val middle = (low + high) >>> 1
        val constant = constants(middle)
        if (constant == key) return 2 * middle + 1
        if (constant < key) low = middle + 1 else high = middle - 1
      }
      2 * low
    }
}

private object BucketLookup {
  val BucketsPerConstant = 4
}

/** Constants are found by their hash, since rules mostly ask for equal texts. */
private[spark] final class TextLookup(constants: Array[UTF8String], isPointwise: Boolean)
    extends RegionLookup(2 * constants.length + 1) {
  private val mask = math.max(1, Integer.highestOneBit(4 * constants.length)) - 1

  /** By hash, one more than the number of the constant. */
  private val table = {
    val slots = new Array[Int](mask + 1)
    for (c <- constants.indices) {
      var slot = constants(c).hashCode & mask
      while (slots(slot) != 0) slot = (slot + 1) & mask
      slots(slot) = c + 1
    }
    slots
  }

  override def of(value: Any): Int = if (value == null) ofNull else region(value.asInstanceOf[UTF8String])

  def region(value: UTF8String): Int = {
    var slot = value.hashCode & mask
    while (table(slot) != 0) {
      if (constants(table(slot) - 1) == value) return 2 * table(slot) - 1
      slot = (slot + 1) & mask
    }
    if (isPointwise) 0 else between(value)
  }

  private def between(value: UTF8String): Int = {
    var low = 0
    var high = constants.length - 1
    while (low <= high) {
      val middle = (low + high) >>> 1
      if (constants(middle).binaryCompare(value) < 0) low = middle + 1 else high = middle - 1
    }
    2 * low
  }
}

private[spark] final class ValueLookup(constants: Constants[Any]) extends RegionLookup(constants.ofNull) {
  override def of(value: Any): Int = if (value == null) ofNull else region(value)
  def region(value: Any): Int = constants.region(value)
}
