package org.streamon.spark.matching.streams

import java.io.{InputStream, OutputStream}
import java.nio.charset.StandardCharsets.UTF_8

import scala.reflect.ClassTag

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.checkpointing.HDFSMetadataLog
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions.NamedCondition

/** Files of JSON below a line with the version, as the other logs of a checkpoint are. */
private[streams] final class VersionedLog[T <: AnyRef: ClassTag](session: SparkSession, path: String)
    extends HDFSMetadataLog[T](session, path) {
  import VersionedLog.Version

  override protected def serialize(entry: T, out: OutputStream): Unit = {
    out.write(s"$Version\n".getBytes(UTF_8))
    super.serialize(entry, out)
  }

  override protected def deserialize(in: InputStream): T = {
    val line = Iterator.continually(in.read()).takeWhile(byte => byte >= 0 && byte != '\n')
    val found = new String(line.map(_.toByte).toArray, UTF_8)
    if (found != Version) throw RuleError.otherVersion(path, found, Version)
    super.deserialize(in)
  }
}

private object VersionedLog {
  private val Version = "v1"
}

/** The number of the rules of a micro-batch. */
private[streams] final case class LoggedBatch(rules: Long)

/** Conditions by the names of their rules. */
private[streams] final case class LoggedRules(rules: Map[String, String]) {
  def sorted: Seq[NamedCondition] = rules.toSeq.map { case (r, c) => NamedCondition(r, c) }.sorted
}

/** What users have changed: conditions by the names of their rules, and names. */
private[streams] final case class LoggedEdits(added: Map[String, String], removed: Array[String])
