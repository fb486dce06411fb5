package org.streamon.core.selections

import Comparison._
import Selection._

/** The constants that rules compare an attribute with, and the regions that they cut its values into (ASC,
  * Definition 1). On each region a selection holds for all values or for none. Each constant is a region of
  * its own. The last region has the nulls. Immutable.
  */
sealed abstract class Constants[T] {

  /** How many there are, with that of the nulls. */
  def regions: Int

  /** The region of a value that is not null. Regions have the order of their values. */
  def region(value: T): Int

  /** The region of the nulls. */
  final def ofNull: Int = regions - 1

  /** The regions in which a selection holds. Its constants are among these. */
  final private[selections] def ranges(selection: Selection[T]): Ranges = selection match {
    case Compare(comparison, constant) =>
      val at = region(constant)
      comparison match {
        case Equal    => Ranges(at, at)
        case NotEqual => Ranges(0, at - 1).union(Ranges(at + 1, ofNull - 1))
        case Less     => Ranges(0, at - 1)
        case AtMost   => Ranges(0, at)
        case Greater  => Ranges(at + 1, ofNull - 1)
        case AtLeast  => Ranges(at, ofNull - 1)
      }
    case OneOf(constants) => Ranges.of(constants.map(c => (region(c), region(c))))
    case IsNull           => Ranges(ofNull, ofNull)
    case IsNotNull        => Ranges(0, ofNull - 1)
    case AllOf(parts)     => parts.map(ranges).foldLeft(Ranges(0, ofNull))(_ intersect _)
    case AnyOf(parts)     => parts.map(ranges).foldLeft(Ranges.none)(_ union _)
  }
}

object Constants {

  /** @param number
    *   of a value, where values are whole numbers, in their order
    * @param ordering
    *   that by which the comparisons are meant; constants that it finds equal are one
    */
  def of[T](selections: Iterable[Selection[T]], number: Option[T => Long] = None)(implicit
      ordering: Ordering[T]
  ): Constants[T] = {
    val all = selections.flatMap(_.constants).toVector.sorted
    val sorted = all.zipWithIndex.collect {
      case (c, i) if i == 0 || !ordering.equiv(all(i - 1), c) => c
    }
    number
      .filter(of => DenseConstants.areClose(sorted.map(of)))
      .fold[Constants[T]](new SortedConstants(sorted)) { of =>
        new DenseConstants(of(sorted.head), of(sorted.last), of)
      }
  }
}

/** Constants that are found by a search. Region 2i + 1 is the constant i itself, counted from 0, and region
  * 2i has the values between the constants i - 1 and i.
  *
  * @param sorted
  *   distinct constants in ascending order
  */
final class SortedConstants[T] private[selections] (val sorted: IndexedSeq[T])(implicit ordering: Ordering[T])
    extends Constants[T] {

  override def regions: Int = 2 * sorted.size + 2

  override def region(value: T): Int = {
    var low = 0
    var high = sorted.size - 1
    while (low <= high) {
      val middle = (low + high) >>> 1
      val compared = ordering.compare(sorted(middle), value)
      if (compared == 0) return 2 * middle + 1
      if (compared < 0) low = middle + 1 else high = middle - 1
    }
    2 * low
  }
}

/** Constants that are close to each other. Each whole number from the least to the greatest is a region of
  * its own, so that a region is found without a search. Region 0 has the lesser numbers, and the last but one
  * the greater ones.
  */
final class DenseConstants[T] private[selections] (least: Long, greatest: Long, numberOf: T => Long)
    extends Constants[T] {

  override def regions: Int = (greatest - least).toInt + 4

  override def region(value: T): Int = ofNumber(numberOf(value))

  /** The region of a number. */
  def ofNumber(number: Long): Int =
    if (number < least) 0 else if (number > greatest) regions - 2 else (number - least).toInt + 1
}

private object DenseConstants {

  /** Numbers for each constant up to which constants are close. */
  private val NumbersPerConstant = 4L

  /** @param sorted
    *   distinct constants in ascending order
    */
  def areClose(sorted: Seq[Long]): Boolean = sorted.nonEmpty && {
    // The distance of two numbers may have all 64 bits.
    val distance = sorted.last - sorted.head
    0 <= distance && distance < math.min(NumbersPerConstant * sorted.size, RegionChecks.MostRegions / 2L)
  }
}
