package org.streamon.core.joins

import scala.collection.mutable

/** The transitive closure of equalities, by union-find over (input, column). */
private[joins] object KeyClasses {
  private type Column = (Int, Int)

  def of(n: Int, equalities: Seq[Equality]): IndexedSeq[KeyClass] = {
    val parent = mutable.LinkedHashMap.empty[Column, Column]
    def find(c: Column): Column = {
      val p = parent.getOrElseUpdate(c, c)
      if (p == c) c
      else {
        val root = find(p)
        parent(c) = root
        root
      }
    }
    // The column that was named first stays the root, which keeps the sequence of the classes.
    def seen(c: Column) = parent.keysIterator.indexOf(c)
    equalities.foreach { e =>
      val a = find((e.leftInput, e.leftColumn))
      val b = find((e.rightInput, e.rightColumn))
      if (a != b) if (seen(a) < seen(b)) parent(b) = a else parent(a) = b
    }
    val strict = equalities.filterNot(_.nullSafe).map(e => find((e.leftInput, e.leftColumn))).toSet
    val members = parent.keys.toVector.groupBy(find)
    parent.keys.toVector.filter(c => find(c) == c).map { root =>
      val columns =
        Vector.tabulate(n)(i => members(root).collect { case (`i`, column) => column }.sorted)
      KeyClass(columns, nullSafe = !strict(root))
    }
  }
}
