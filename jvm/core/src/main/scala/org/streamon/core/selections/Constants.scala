package org.streamon.core.selections

import Comparison._
import Selection._

/** The constants that rules compare an attribute with, and the regions that they cut its values into (ASC,
  * Definition 1). Region 2i + 1 is the constant i itself, counted from 0, and region 2i has the values
  * between the constants i - 1 and i. The last region has the nulls. On each region a selection holds for all
  * values or for none. Immutable.
  *
  * @param sorted
  *   distinct constants in ascending order
  */
final class Constants[T] private (val sorted: IndexedSeq[T])(implicit ordering: Ordering[T]) {

  /** Regions, with that of the nulls: 2m + 2. */
  def regions: Int = 2 * sorted.size + 2

  /** The region of the nulls. */
  def ofNull: Int = regions - 1

  /** The region of a value that is not null. */
  def region(value: T): Int = {
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

  /** The regions in which a selection holds. Its constants are among these. */
  private[selections] def ranges(selection: Selection[T]): Ranges = selection match {
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

  /** @param ordering
    *   that by which the comparisons are meant; constants that it finds equal are one
    */
  def of[T](selections: Iterable[Selection[T]])(implicit ordering: Ordering[T]): Constants[T] = {
    val all = selections.flatMap(_.constants).toVector.sorted
    new Constants(all.zipWithIndex.collect {
      case (c, i) if i == 0 || !ordering.equiv(all(i - 1), c) => c
    })
  }
}
