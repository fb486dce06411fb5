package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.errors.HintError
import org.streamon.spark.execution.state.KeyNumber
import org.streamon.spark.logical.{DeclaredConstraint, OrderedInput}
import org.streamon.core.constraints.{ConstraintKind, JoinConstraint}
import org.streamon.spark.logical.DeclaredConstraint.Mention

/** The constraints that hints declare on a tree of joins, by the numbers of its inputs and dimensions. A hint
  * that names an input outside the tree is left out.
  */
private[planning] final class ConstraintPlanner(tree: JoinTree, dimensions: JoinDimensions) {
  import dimensions.keys

  /** Each mention with its operand in the tree. */
  private val mentions: Seq[(Mention, Expression)] = for {
    conjunct <- tree.conjuncts
    mention <- DeclaredConstraint.in(conjunct.predicate)
    operand <- conjunct.predicate.children.lift(mention.operand)
  } yield mention -> operand

  /** @throws HintError
    *   when the inputs do not share a join key as a hint requires, two hints contradict each other, or there
    *   are windows of rows
    */
  def constraints: Seq[JoinConstraint] = {
    val declared = mentions.map(_._1.declared).distinct.sortBy(_.id)
    for (first <- declared if tree.inputs.exists(_.isInstanceOf[OrderedInput]))
      throw HintError.constraintOfRows(first.text)
    val all = declared.flatMap {
      case d: DeclaredConstraint.Unique  => unique(d).map(d -> _)
      case d: DeclaredConstraint.Adheres => adheres(d).map(d -> _)
    }
    val constraints = all.map(_._2).distinct
    constraints.combinations(2).foreach {
      case Seq(one: JoinConstraint.Adheres, other: JoinConstraint.Adheres) if one == other.copy(k = one.k) =>
        throw HintError.constraintTwice(all.collect { case (d, `one` | `other`) => d.text })
      case _ => ()
    }
    constraints
  }

  /** Of each input that has the name: a hinted frame may be joined with itself. */
  private def unique(d: DeclaredConstraint.Unique): Seq[JoinConstraint] =
    inputs(d, d.input).map { i =>
      val columns = d.columns.map { name =>
        mentions.collectFirst {
          case (m, e) if m.declared == d && m.column.contains(name) && inputOf(e).contains(i) => e
        }
      }
      val dimension = keys.indices.find(k => columns.forall(_.exists(isPart(_, keys(k)(i)))))
      JoinConstraint.Unique(
        i,
        dimension.getOrElse {
          throw notJoined(
            d,
            s"no join key of `${d.input}` contains ${d.columns.mkString("`", "`, `", "`")}",
            Set(i)
          )
        }
      )
    }

  private def isPart(column: Expression, key: Seq[Expression]) =
    key.exists(_.semanticEquals(SparkInternals.normalizeFloats(column)))

  private def adheres(d: DeclaredConstraint.Adheres): Option[JoinConstraint] =
    (inputs(d, d.parent), inputs(d, d.child)) match {
      case (Seq(parent), Seq(child)) =>
        val shared = keys.indices.filter { k =>
          val (one, other) = (keys(k)(parent), keys(k)(child))
          one.nonEmpty && other.nonEmpty && !(one ++ other).forall(_.foldable)
        }
        shared match {
          case Seq(dimension) =>
            val key = keys(dimension)(parent)
            if (isOfOrder(d.kind) && !KeyNumber.of(key).ordered)
              throw HintError.badConstraint(
                d.text,
                s"${d.kind.name} needs a key of one column of type INT, BIGINT, DATE or TIMESTAMP, but the key of " +
                  s"`${d.parent}` and `${d.child}` has the types (${key.map(_.dataType.sql).mkString(", ")})"
              )
            Some(JoinConstraint.Adheres(d.kind, dimension, parent, child, d.k))
          case several =>
            val found = if (several.isEmpty) "no join key" else "several join keys"
            throw notJoined(d, s"`${d.parent}` and `${d.child}` share $found", Set(parent, child))
        }
      case (Seq(), _) | (_, Seq()) => None
      case (several, others)       =>
        val name = if (several.size > 1) d.parent else d.child
        throw HintError.ambiguousInput(
          d.text,
          name,
          (if (several.size > 1) several else others).map(numbered)
        )
    }

  private def isOfOrder(kind: ConstraintKind) = kind == ConstraintKind.OAP || kind == ConstraintKind.OAC

  private def inputs(d: DeclaredConstraint, name: String): Seq[Int] =
    mentions
      .collect { case (m, e) if m.declared == d && m.input == name => inputOf(e) }
      .flatten
      .distinct
      .sorted

  private def inputOf(e: Expression): Option[Int] = tree.inputsOf(e).toSeq match {
    case Seq(one) => Some(one)
    case _        => None
  }

  private def numbered(input: Int) = s"input $input"

  private def notJoined(d: DeclaredConstraint, why: String, inputs: Set[Int]): HintError = {
    val joined = keys.filter(k => inputs.exists(k(_).nonEmpty)).map { k =>
      val held = k.indices.filter(k(_).nonEmpty)
      held.map(i => k(i).map(_.sql).mkString(s"${numbered(i)} [", ", ", "]")).mkString(" = ")
    }
    HintError.constraintNotJoined(d.text, why, joined)
  }
}
