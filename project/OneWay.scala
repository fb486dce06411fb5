import sbt._
import sbt.Keys._
import sbt.internal.inc.Analysis

/** Packages import one way only: no package may use another that uses it, directly or by way of others. */
object OneWay {
  val oneWay = taskKey[Unit]("Fails when packages use each other.")

  val settings: Seq[Setting[_]] = Seq(oneWay := {
    val rings = inRings(uses((Compile / compile).value))
    if (rings.nonEmpty)
      throw new MessageOnlyException(rings.mkString("Packages use each other:\n", "\n", ""))
  })

  private final case class Use(from: String, to: String) {
    val packages: (String, String) = (packageOf(from), packageOf(to))
    private def packageOf(name: String) =
      name.split('.').takeWhile(part => part.head.isLower && part != "package").mkString(".")
  }

  private def uses(analysis: xsbti.compile.CompileAnalysis): Seq[Use] = {
    val classes = analysis.asInstanceOf[Analysis].relations.internalClassDep
    classes.all
      .map { case (from, to) => Use(from, to) }
      .filter(use => use.packages._1 != use.packages._2)
      .toSeq
  }

  /** The uses that are part of a ring, by their packages. */
  private def inRings(uses: Seq[Use]): Seq[String] = {
    val next =
      uses.map(_.packages).distinct.groupBy(_._1).mapValues(_.map(_._2).toSet).toMap.withDefaultValue(Set())
    @scala.annotation.tailrec
    def reached(from: Set[String]): Set[String] = {
      val more = from ++ from.flatMap(next)
      if (more == from) from else reached(more)
    }
    for {
      ((a, b), those) <- uses.groupBy(_.packages).toSeq.sortBy(_._1)
      if reached(next(b)).contains(a)
    } yield those.map(use => s"    ${use.from} uses ${use.to}").sorted.mkString(s"  $a -> $b\n", "\n", "")
  }
}
