package org.streamon.spark.learning

import java.nio.file.attribute.FileTime
import java.nio.file.{Files, Path}
import java.time.{Duration, Instant}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd
import org.apache.spark.sql.streamon.Events
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, Warnings}
import org.streamon.spark.metrics.Guard

/** Learned plans that outlast a session. The driver remembers a folder that it has written, so a session that
  * is to read names a copy.
  */
class PlanFolderSuite extends AnyFunSuite with Learners with InFolder {
  private val key = "spark.streamon.learning.folder"

  private def session(folder: Path): SparkSession = newSession(key -> folder.toString)

  private def plans(folder: Path): Seq[Path] =
    Files.list(folder).iterator.asScala.filter(_.toString.endsWith(".json")).toSeq

  private val plan = LearnedPlan(Vector(2, 1, 0), Nil, Instant.EPOCH, 1.0, None)

  private def memory(folder: Path, structure: Structure) = PlanMemory.of(session(folder), structure).get

  /** A folder in which a session has learned, with its plan changed. */
  private def learned(in: Path, name: String)(change: String => String): Path = {
    val (from, to) = (in.resolve(s"$name-first"), Files.createDirectories(in.resolve(name)))
    assert(run(session(from)).beganFresh)
    Events.heard(spark.sparkContext)
    for (plan <- plans(from))
      Files.writeString(to.resolve(plan.getFileName), change(Files.readString(plan)))
    assert(plans(to).size == 1)
    to
  }

  test("what a session has learned another begins with, that names the folder") {
    inFolder { folder =>
      val texts = scala.collection.mutable.Buffer.empty[String]
      val copy = learned(folder, "copy") { text => texts += text; text }
      val second = run(session(copy))
      assert(second.beganLearned && second.rows == right, second)
      assert(texts.head.contains("\"order\" : [ 2, "), texts.head)
      assert(!texts.head.contains("1000") && !texts.head.contains("like"), texts.head)
      assert(run(newSession()).beganFresh, "a session without a folder")
    }
  }

  test("routes are kept too, and are read by those that name the folder") {
    inFolder { folder =>
      val routes = "CASE WHEN carrier IN ('AA') THEN '2,1,0' ELSE '0,1,2' END"
      val structure = Structure("filter", Seq("routes"))
      val routed = plan.copy(routes = Some(routes))
      assert(!routed.isSamePlan(plan) && routed.bytes > plan.bytes)
      PlanFolder(folder.toString)(() => spark.sessionState.newHadoopConf()).write(structure, routed)
      assert(memory(folder, structure).recall(3).exists(_.routes.contains(routes)))
    }
  }

  test("sessions that share a folder keep what each has learned") {
    inFolder { folder =>
      run(session(folder))
      run(session(folder), "s like '%' and b >= 0 and id % 1000 = 8")
      Events.heard(spark.sparkContext)
      assert(plans(folder).size == 2)
    }
  }

  test("a plan is written when it has changed, not with every execution") {
    inFolder { folder =>
      def written = plans(folder).map(p => p -> Files.readString(p)).toMap
      val one = session(folder)
      run(one)
      Events.heard(spark.sparkContext)
      val before = written
      assert(run(one).beganLearned)
      Events.heard(spark.sparkContext)
      assert(before.size == 1 && written == before)
    }
  }

  test("plans of another version are left alone, with a warning of what is used instead") {
    inFolder { folder =>
      val other = learned(folder, "other")(_.replace(""""version" : 1""", """"version" : 2"""))
      val before = plans(other).map(Files.readString(_))
      val one = session(other)
      val warnings = Warnings.during {
        val first = run(one)
        assert(first.beganFresh && first.rows == right)
        assert(run(one).beganLearned)
        Events.heard(spark.sparkContext)
      }
      assert(warnings.size == 1, warnings)
      for (words <- Seq(other.toString, "version 2", "only 1 is supported", "this application has learned"))
        assert(warnings.head.contains(words))
      assert(plans(other).map(Files.readString(_)) == before)
    }
  }

  test("plans that cannot be read are learned again, with a warning") {
    inFolder { folder =>
      val broken = learned(folder, "broken")(_.take(40))
      val one = session(broken)
      val warnings = Warnings.during {
        val first = run(one)
        assert(first.beganFresh && first.rows == right)
      }
      assert(warnings.size == 1 && warnings.head.contains(s"$broken cannot be read"), warnings)
      Events.heard(spark.sparkContext)
      PlanFormat.read(Files.readString(plans(broken).head))
    }
  }

  test("a folder that is none is a warning, and what is learned lasts as long as the application") {
    inFolder { folder =>
      for (
        bad <- Seq(Files.writeString(folder.resolve("file"), "text").toString, "nowhere://there", "a: b")
      ) {
        val one = newSession(key -> bad)
        val warnings = Warnings.during {
          val first = run(one)
          assert(first.beganFresh && first.rows == right)
          assert(run(one).beganLearned)
          Events.heard(spark.sparkContext)
        }
        assert(warnings.exists(_.contains(s"$bad cannot be read")), warnings)
        assert(warnings.exists(_.contains(s"cannot be written to $bad")), warnings)
      }
    }
  }

  test("plans that are wrong, or no plans of this filter, give the right rows") {
    val order = """"order" : \[[^\]]*\]"""
    val guards = """"guards" : \[[^\]]*\]"""
    val wrong = Seq(
      order -> """"order" : [ 1, 0, 2 ]""",
      order -> """"order" : [ 1, 1, 2 ]""",
      order -> """"order" : [ 0, 1, 2, 3 ]""",
      guards -> """"guards" : [ [ 0, 1, NOW ], [ 1, 0, NOW ] ]""",
      guards -> """"guards" : [ [ 0, 9, NOW ] ]"""
    )
    inFolder { folder =>
      for (((part, instead), n) <- wrong.zipWithIndex) {
        val one = session(
          learned(folder, s"wrong$n")(
            _.replaceFirst(part, instead.replace("NOW", s"${System.currentTimeMillis}"))
          )
        )
        assert(run(one).rows == right, instead)
        assert(run(one).rows == right && run(one).evaluations.last == 1.0, instead)
      }
    }
  }

  test("a guard of old is not begun with") {
    inFolder { folder =>
      val (structure, now) = (Structure("filter", Seq("with guards")), System.currentTimeMillis)
      val guards = Seq(Guard(0, 1, now - Guard.Life - 1), Guard(0, 2, now), Guard(1, 2, now + 2 * Guard.Life))
      PlanFolder(folder.toString)(() => spark.sessionState.newHadoopConf())
        .write(structure, plan.copy(guards = guards))
      assert(memory(folder, structure).recall(3).map(_.guards).contains(Seq(Guard(0, 2, now))))
    }
  }

  test("a folder is not asked again at once for a plan that it does not have") {
    inFolder { folder =>
      val structure = Structure("filter", Seq("not there"))
      assert(memory(folder, structure).recall(3).isEmpty)
      PlanFolder(folder.toString)(() => spark.sessionState.newHadoopConf()).write(structure, plan)
      assert(memory(folder, structure).recall(3).isEmpty)
      var now = 0L
      val misses = new Misses(10, () => now)
      def found(inFolder: Option[LearnedPlan]) = misses.unlessKnown("folder", structure)(inFolder)
      assert(found(None).isEmpty && found(Some(plan)).isEmpty)
      now = Misses.Fresh
      assert(found(Some(plan)).contains(plan))
    }
  }

  test("a plan that could not be written is written later, and not at once") {
    inFolder { in =>
      val (path, structure) = (in.resolve("learned"), Structure("filter", Seq("tried")))
      val folder = PlanFolder(path.toString)(() => spark.sessionState.newHadoopConf())
      var now = Instant.EPOCH
      val writer = new PlanWriter(() => now)
      def ends(after: Duration) = {
        now = Instant.EPOCH.plus(after)
        writer.onOtherEvent(SparkListenerSQLExecutionEnd(0L, 0L))
      }
      Files.writeString(path, "no folder")
      writer.write(folder, structure, plan)
      assert(Warnings.during(ends(Duration.ZERO)).size == 1)
      Files.delete(path)
      ends(PlanWriter.Pause)
      assert(!Files.exists(path))
      ends(PlanWriter.Pause.plusSeconds(1))
      assert(plans(path).size == 1)
      val before = Files.readString(plans(path).head)
      writer.write(folder, structure, plan.copy(learned = plan.learned.plusSeconds(2)))
      ends(PlanWriter.Pause.plusSeconds(2))
      assert(Files.readString(plans(path).head) == before, "it has not changed")
    }
  }

  test("old plans make room for new ones, and other files stay") {
    inFolder { folder =>
      val others = Seq("a.json", "filter-1.json", "2026-01-01.json").map(folder.resolve)
      others.foreach(Files.writeString(_, "{}"))
      Files.setLastModifiedTime(others.head, FileTime.fromMillis(0L))
      val plans = PlanFolder(folder.toString)(() => spark.sessionState.newHadoopConf())
      val structures = (0 to PlanFolder.FilesKept).map(n => Structure("filter", Seq(n.toString)))
      structures.foreach { s =>
        Files.writeString(folder.resolve(s"filter-${s.hash}.json"), PlanFormat.write(s, plan))
      }
      plans.write(Structure("filter", Seq("new")), plan)
      assert(this.plans(folder).size == PlanFolder.FilesKept + others.size && others.forall(Files.exists(_)))
      assert(plans.read(Structure("filter", Seq("new"))).contains(plan))
    }
  }
}
