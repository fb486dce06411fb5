package org.streamon.spark.selections

import java.util.Arrays

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

/** Buckets of equal width tell the region of a number. Only in those that have a constant is it searched for.
  *
  * @param constants
  *   in ascending order
  */
private[spark] final class BucketLookup(key: RegionKey.Number, constants: Array[Long])
    extends NumberLookup(key, 2 * constants.length + 1) {
  import BucketLookup._

  private val least = constants.headOption.getOrElse(0L)
  private val greatest = constants.lastOption.getOrElse(0L)

  private val shift = {
    val most = mostBuckets(constants.length)
    // The distance of two numbers may have all 64 bits.
    Iterator.from(0).find(s => java.lang.Long.compareUnsigned((greatest - least) >>> s, most) < 0).get
  }

  // The first bucket has the numbers below all constants, and the last one those above.
  private val last = ((greatest - least) >>> shift).toInt + 2

  /** By bucket, its region, which is even. Where it has a constant, the region of the first one, which is
    * odd.
    */
  private val regions = {
    val firsts = new Array[Int](last + 1)
    for (c <- constants) firsts(bucketOf(c) + 1) += 1
    for (b <- 0 until last) firsts(b + 1) += firsts(b)
    Array.tabulate(last + 1)(b => 2 * firsts(b) + (if (b < last && firsts(b + 1) > firsts(b)) 1 else 0))
  }

  override def region(key: Long): Int = {
    val bucket = bucketOf(key)
    val region = regions(bucket)
    if ((region & 1) == 0) region else search(key, bucket)
  }

  /** Without a branch, which the processor would often mispredict where many numbers are below or above all
    * constants.
    */
  private def bucketOf(key: Long): Int = {
    val inside = (((key - least) >>> shift).toInt + 1) & ~maskOfLess(key, least)
    inside ^ ((inside ^ last) & maskOfLess(greatest, key))
  }

  /** Among the constants of a bucket. */
  private def search(key: Long, bucket: Int): Int = {
    val found = Arrays.binarySearch(constants, regions(bucket) >>> 1, regions(bucket + 1) >>> 1, key)
    // The complement of where it would be, if it is none of them.
    if (found >= 0) 2 * found + 1 else 2 * ~found
  }
}

private object BucketLookup {

  /** All bits where one number is less than another, else none. */
  private def maskOfLess(a: Long, b: Long): Int = (((a & ~b) | (~(a ^ b) & (a - b))) >> 63).toInt

  // With more buckets fewer have a constant. But they are to stay near the processor.
  private val Few = 1L << 10
  private val Many = 1L << 13

  /** Eight for each constant, and four where these are many. */
  private def mostBuckets(constants: Int): Long =
    math.max(4L * constants, math.min(math.max(Few, 8L * constants), Many))
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
