package org.streamon.core.routes

/** What a way through a tree says of one attribute, in words. Several tests become one condition. */
private[routes] object PathWords {

  /** @param steps
    *   those that test the attribute, each with whether the way is that of matching rows
    */
  def apply(of: Attribute, steps: Seq[(Branch, Boolean)]): String = {
    val values = (if (of.isNumber) range(of, steps) else set(of, steps)).mkString(" AND ")
    val hasNulls = of.isNullable && steps.forall { case (branch, matching) => branch.nullsMatch == matching }
    if (!hasNulls) values
    else if (values.isEmpty) s"${of.name} IS NULL"
    else s"($values OR ${of.name} IS NULL)"
  }

  private def range(of: Attribute, steps: Seq[(Branch, Boolean)]): Seq[String] = {
    val (above, upTo) = steps
      .collect { case (Branch(Above(_, threshold), _, _, _), matching) =>
        (threshold, matching)
      }
      .partition(_._2)
    above.map(_._1).maxOption.map(t => s"${of.name} > ${of.literal(t)}").toSeq ++
      upTo.map(_._1).minOption.map(t => s"${of.name} <= ${of.literal(t)}")
  }

  private def set(of: Attribute, steps: Seq[(Branch, Boolean)]): Seq[String] = {
    val (in, notIn) = steps
      .collect { case (Branch(OneOf(_, values), _, _, _), matching) => (values, matching) }
      .partition(_._2)
    val out = notIn.flatMap(_._1).toSet
    in.map(_._1).reduceOption(_ intersect _) match {
      case Some(values) =>
        val left = values -- out
        if (left.isEmpty) Nil else Seq(s"${of.name} IN ${OneOf.list(left)}")
      case None => Seq(s"${of.name} NOT IN ${OneOf.list(out)}")
    }
  }
}
