package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.streamon.core.selections.{Comparison, Selection}

/** What a row must have for any rule to hold: a cheap bound of the disjunction of all rules, which a scan can
  * take. There is one for each column that all rules ask, unless they ask anything of it.
  */
private[selections] object RowBounds {

  /** Columns with a bound at most: each row is compared with all of them. */
  private val MostColumns = 4

  /** Values in a list at most. */
  private val MostValues = 100

  /** @param excluded
    *   columns without a bound: those whose computation may raise an error, since a rule may guard them, and
    *   those that the rows do not have
    */
  def of(split: Seq[SplitCondition], excluded: AttributeSet): Seq[Expression] = {
    val alternatives = split.flatMap(_.alternatives)
    val asked = alternatives.headOption.toSeq.flatten.map(_.column).collect {
      case column: Attribute if !excluded.contains(column) => column
    }
    val bounds = for {
      column <- asked.distinctBy(_.exprId)
      if alternatives.forall(_.exists(asks(column)))
      key <- RegionKey.of(column.dataType)
      bound <- of(column, key, alternatives.map(_.filter(asks(column))))
    } yield bound
    bounds.take(MostColumns)
  }

  private def asks(column: Attribute)(of: ColumnSelection) = of.column match {
    case a: Attribute => a.exprId == column.exprId
    case _            => false
  }

  /** @param alternatives
    *   by alternative, what it asks of the column
    */
  private def of(
      column: Attribute,
      key: RegionKey,
      alternatives: Seq[Seq[ColumnSelection]]
  ): Option[Expression] = {
    val hulls = new Hulls(key.ordering)
    val hull = alternatives.map(all => hulls.all(all.map(s => hulls.of(s.selection)))).reduce(hulls.any)
    if (hull.hasNull) None else written(column, key, hull)
  }

  private def written(column: Attribute, key: RegionKey, hull: Hull): Option[Expression] = hull.values match {
    case Some(values) =>
      val literals = values.toSeq.map(key.literal)
      Option.when(literals.nonEmpty && literals.forall(_.isDefined))(In(column, literals.flatten))
    case None =>
      val least = hull.least.flatMap(key.literal).map(GreaterThanOrEqual(column, _))
      val most = hull.most.flatMap(key.literal).map(LessThanOrEqual(column, _))
      (least ++ most).reduceOption[Expression](And(_, _))
  }

  /** Values that a selection may select, and perhaps others.
    *
    * @param values
    *   all of them, if they are few
    * @param least
    *   none if there is no bound; the same for `most`
    */
  private final case class Hull(
      values: Option[Set[Any]],
      least: Option[Any],
      most: Option[Any],
      hasNull: Boolean
  )

  private final class Hulls(order: Ordering[Any]) {
    private val everything = Hull(None, None, None, hasNull = true)
    private val notNull = everything.copy(hasNull = false)

    def of(selection: Selection[Any]): Hull = selection match {
      case Selection.Compare(how, c)  => compare(how, c)
      case Selection.OneOf(constants) => among(constants.toSet)
      case Selection.IsNull           => among(Set.empty).copy(hasNull = true)
      case Selection.IsNotNull        => notNull
      case Selection.AllOf(parts)     => all(parts.map(of))
      case Selection.AnyOf(parts)     => parts.map(of).reduceOption(any).getOrElse(among(Set.empty))
    }

    private def compare(how: Comparison, c: Any): Hull = how match {
      case Comparison.Equal                        => among(Set(c))
      case Comparison.Less | Comparison.AtMost     => notNull.copy(most = Some(c))
      case Comparison.Greater | Comparison.AtLeast => notNull.copy(least = Some(c))
      case Comparison.NotEqual                     => notNull
    }

    private def among(values: Set[Any]): Hull = Hull(
      Option.when(values.size <= MostValues)(values),
      values.minOption(order),
      values.maxOption(order),
      hasNull = false
    )

    /** What all select: one of the values of a part that has few is enough. */
    def all(parts: Seq[Hull]): Hull = parts.foldLeft(everything) { (a, b) =>
      Hull(
        a.values.orElse(b.values),
        (a.least ++ b.least).maxOption(order),
        (a.most ++ b.most).minOption(order),
        a.hasNull && b.hasNull
      )
    }

    /** What one of two selects. */
    def any(a: Hull, b: Hull): Hull = Hull(
      for (x <- a.values; y <- b.values if x.size + y.size <= MostValues) yield x ++ y,
      for (x <- a.least; y <- b.least) yield order.min(x, y),
      for (x <- a.most; y <- b.most) yield order.max(x, y),
      a.hasNull || b.hasNull
    )
  }
}
