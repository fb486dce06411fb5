package org.streamon.spark.matching.streams

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions.NamedCondition

/** The rules of each micro-batch in a checkpoint. */
class RuleLogSuite extends AnyFunSuite with SparkSuite with InFolder {
  private def open(folder: Path) = new RuleLog(spark, folder.toString, kept = 100)

  private def rules(names: String*) = names.map(name => NamedCondition(name, s"x = '$name'"))

  private def condition(body: => Any): String = intercept[RuleError](body).getCondition

  test("another run finds the rules of all micro-batches that were planned, and of no others") {
    inFolder { folder =>
      val log = open(folder)
      assert(log.isNew)
      val each = Seq(rules("a"), rules("a"), rules("a", "b"), rules(), rules("a"))
      for ((rules, batch) <- each.zipWithIndex) log.record(batch, rules)
      assert((0 to 5).forall(log.of(_).isEmpty))
      val again = open(folder)
      assert(!again.isNew)
      assert((0 to 5).map(again.of(_)) == each.map(Some(_)) :+ None)
      again.record(5, rules("c"))
      assert(open(folder).of(5).contains(rules("c")))
    }
  }

  test("a run that ended between its two files is gone on with") {
    inFolder { folder =>
      open(folder).record(0, rules("a"))
      val ended = folder.resolve("sets/1")
      Files.copy(folder.resolve("sets/0"), ended)
      val again = open(folder)
      assert(again.of(1).isEmpty)
      again.record(1, rules("b"))
      assert(open(folder).of(1).contains(rules("b")))
    }
  }

  test("two runs do not write the same micro-batch, and rules that are lost are missed") {
    inFolder { folder =>
      val (one, two) = (open(folder), open(folder))
      one.record(0, rules("a"))
      assert(condition(two.record(0, rules("a"))) == "STREAMON_RULES_LOG")
      Files.delete(folder.resolve("sets/0"))
      assert(condition(open(folder).of(0)) == "STREAMON_RULES_REPLAY")
    }
  }

  test("a log of another version is not read") {
    inFolder { folder =>
      open(folder).record(0, rules("a"))
      val file = folder.resolve("batches/0")
      Files.delete(folder.resolve("batches/.0.crc"))
      Files.writeString(file, Files.readString(file).replace("v1", "v2"))
      assert(condition(open(folder).of(0)) == "STREAMON_RULES_LOG_VERSION")
    }
  }
}
