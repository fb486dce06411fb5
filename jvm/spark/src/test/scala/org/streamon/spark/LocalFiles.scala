package org.streamon.spark

import java.net.URI
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission

/** Hadoop's local files without its processes: for want of a native library it starts a `chmod` for each file
  * and a `readlink` for each rename, which is a third of what a test with a state store takes.
  */
final class LocalFiles(uri: URI, conf: Configuration) extends ChecksumFs(new LocalFiles.Raw(uri, conf)) {
  override def isValidName(path: String): Boolean = getRawFs.isValidName(path)
}

object LocalFiles {

  /** Settings of a session that has its files so, by both of Hadoop's interfaces. */
  val confs: Map[String, String] = Map(
    "spark.hadoop.fs.AbstractFileSystem.file.impl" -> classOf[LocalFiles].getName,
    "spark.hadoop.fs.file.impl" -> classOf[LocalFiles.Older].getName
  )

  final class Older extends LocalFileSystem(new Direct)

  private final class Raw(uri: URI, conf: Configuration)
      extends DelegateToFileSystem(uri, new Direct, conf, "file", false) {
    override def getUriDefaultPort: Int = -1
  }

  private final class Direct extends RawLocalFileSystem {
    override def setPermission(path: Path, permission: FsPermission): Unit = {
      // As `chmod` has it, without the sticky bit.
      val bits = FsPermission.createImmutable((permission.toShort & 0x1ff).toShort).toString
      Files.setPosixFilePermissions(pathToFile(path).toPath, PosixFilePermissions.fromString(bits))
    }

    /** Its own takes `file:/path` for the name of a file, so that it finds no link either. */
    override def getFileLinkStatus(path: Path): FileStatus = getFileStatus(path)
  }
}
