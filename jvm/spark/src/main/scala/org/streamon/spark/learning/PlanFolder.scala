package org.streamon.spark.learning

import java.io.IOException
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

/** A folder of learned plans, with a file for each structure. Several drivers can share it: each file is
  * written as a whole, and the last writer wins.
  */
private[learning] final case class PlanFolder(path: String)(newConf: () => Configuration) {
  import PlanFolder._

  private lazy val conf = newConf()
  private lazy val root = new Path(path)
  private lazy val files = CheckpointFileManager.create(root, conf)

  /** @throws PlanFormat.OtherVersion
    *   when it was written by a StreaMon with another format
    */
  def read(structure: Structure): Option[LearnedPlan] = {
    if (files.exists(root) && !root.getFileSystem(conf).getFileStatus(root).isDirectory)
      throw new IOException(s"$path is no folder")
    val file = fileOf(structure)
    Option.when(files.exists(file)) {
      val in = files.open(file)
      try PlanFormat.read(new String(in.readNBytes(MostBytes), UTF_8))
      finally in.close()
    }
  }

  /** In the place of an earlier plan of the structure. */
  def write(structure: Structure, plan: LearnedPlan): Unit = {
    val file = fileOf(structure)
    val isNew = !files.exists(file)
    if (isNew) files.mkdirs(root)
    val out = files.createAtomic(file, overwriteIfPossible = true)
    try {
      out.write(PlanFormat.write(structure, plan).getBytes(UTF_8))
      out.close()
    } finally out.cancel()
    if (isNew) makeRoom()
  }

  /** Lets go of the plans that were written least lately. The folder may have other files too. */
  private def makeRoom(): Unit =
    files
      .list(root, (file: Path) => IsPlan.matches(file.getName))
      .sortBy(-_.getModificationTime)
      .drop(FilesKept)
      .foreach(file => files.delete(file.getPath))

  private def fileOf(structure: Structure) = new Path(root, s"${structure.kind}-${structure.hash}$Suffix")
}

private[learning] object PlanFolder {
  val FilesKept = 1000
  private val Suffix = ".json"
  private val IsPlan = "[a-z]+-[0-9a-f]{32}\\.json".r

  /** More than any plan takes. */
  private val MostBytes = 1 << 18
}
