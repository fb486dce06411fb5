package org.streamon.spark

import java.nio.file.{Files, Path}

import org.apache.spark.network.util.JavaUtils

/** A folder for a test, gone when the test is over. */
trait InFolder {
  def inFolder[T](body: Path => T): T = {
    val folder = Files.createTempDirectory("streamon")
    try body(folder)
    finally JavaUtils.deleteRecursively(folder.toFile)
  }
}
