import sbt._

import scala.collection.mutable
import scala.sys.process.Process

/** A line of Spark (`major.minor`) that the project is built for, as `project/spark-lines` has it.
  *
  * @param compiled
  *   the version that its jar is compiled against
  * @param tested
  *   all versions that its tests run on
  */
final case class SparkLine(line: String, compiled: String, tested: Seq[String]) {

  /** The name of its project, `spark43` for Spark 4.3. */
  def project: String = s"spark${line.replace(".", "")}"
}

object SparkLine {

  /** From the latest, which is the main one, to the oldest. */
  lazy val all: Seq[SparkLine] = IO
    .readLines(file("project/spark-lines"))
    .filterNot(_.startsWith("#"))
    .map(_.trim.split(" +").toSeq)
    .collect { case line +: compiled +: others => SparkLine(line, compiled, compiled +: others) }

  /** The jars of a version of Spark, which its pyspark carries. */
  def jars(version: String): Seq[File] =
    (environment(version) / "lib" * "python*" / "site-packages" / "pyspark" / "jars" * "*.jar").get.sorted

  /** The Python that has the pyspark of a version. */
  def python(version: String): File = environment(version) / "bin" / "python"

  private val environments = mutable.Map.empty[String, File]

  /** The virtual environment of a version; installs it when it is not there. */
  private def environment(version: String): File = synchronized {
    environments.getOrElseUpdate(version, file(Process(Seq("project/install-spark", version)).!!.trim))
  }
}
