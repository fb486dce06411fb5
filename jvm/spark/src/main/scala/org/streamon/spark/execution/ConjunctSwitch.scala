package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext

/** Whether a row passes a conjunct, in generated code.
  *
  * @param columns
  *   those that it reads
  * @param code
  *   an expression, where the columns have these names
  */
final case class ConjunctTest(columns: Seq[Attribute], code: ColumnNames => String)

/** Generated code that evaluates the conjunct with a number that is known at run time: a switch over all of
  * them. Where it would take too much of the row loop, runs of conjuncts have a switch each, in a method that
  * takes the columns of these; and where the calls of such methods are too many, so have runs of calls.
  */
final class ConjunctSwitch(ctx: CodegenContext, slots: ColumnNames) {
  import ConjunctSwitch._

  /** A statement that sets the variable `pass`.
    *
    * @param number
    *   an expression for which conjunct it is
    * @param tests
    *   by number
    */
  def choose(number: String, pass: String, tests: Seq[ConjunctTest]): String = {
    var branches = tests.zipWithIndex.map { case (test, q) =>
      Branch(Seq(q), test.columns, (_, names) => test.code(names))
    }
    while (branches.map(_.bytes).sum > MostBytes) branches = runs(branches).map(inMethod)
    switch(number, pass, branches, slots)
  }

  /** Of two branches or more each, but for the last. */
  private def runs(branches: Seq[Branch]): Seq[Seq[Branch]] =
    branches.foldLeft(Vector(Vector.empty[Branch])) { (found, branch) =>
      val longer = found.last :+ branch
      if (longer.map(_.bytes).sum <= MostBytes) found.init :+ longer else found :+ Vector(branch)
    }

  private def inMethod(branches: Seq[Branch]): Branch = {
    val columns = branches.flatMap(_.columns).distinctBy(_.exprId)
    val parameters = new ColumnParameters(ctx, columns, slots.isNull(_) != "false")
    val (name, number, pass) = (ctx.freshName("conjuncts"), ctx.freshName("number"), ctx.freshName("pass"))
    val method = ctx.addNewFunction(
      name,
      s"""
         |private boolean $name(${(s"int $number" +: parameters.declared).mkString(", ")}) {
         |  boolean $pass = false;
         |  ${switch(number, pass, branches, parameters)}
         |  return $pass;
         |}
       """.stripMargin
    )
    Branch(
      branches.flatMap(_.conjuncts),
      columns,
      (number, names) => s"$method(${(number +: parameters.arguments(names)).mkString(", ")})"
    )
  }

  private def switch(number: String, pass: String, branches: Seq[Branch], names: ColumnNames): String = {
    val cases = branches.map { branch =>
      s"""
         |${branch.conjuncts.map(q => s"case $q:").mkString(" ")}
         |  $pass = ${branch.code(number, names)};
         |  break;
       """.stripMargin
    }
    s"switch ($number) {\n${cases.mkString("\n")}\n}"
  }
}

private object ConjunctSwitch {

  /** What a switch may take of the row loop, which fills columns besides, so that it stays within what the
    * JIT compiler takes (8,000 bytes of bytecode). Any two branches take less.
    */
  private val MostBytes = 4000

  /** A branch of a switch.
    *
    * @param conjuncts
    *   that lead to it
    * @param code
    *   an expression, by which conjunct it is and what columns are called
    */
  private final case class Branch(
      conjuncts: Seq[Int],
      columns: Seq[Attribute],
      code: (String, ColumnNames) => String
  ) {

    /** About what it takes: an entry for each conjunct in the table of the switch, and a call to which each
      * column is passed, with whether it is null.
      */
    def bytes: Int = 4 * conjuncts.size + 12 + 6 * columns.size
  }
}
