package org.streamon.spark

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.SPARK_VERSION
import org.apache.xbean.asm9.{ClassWriter, Opcodes}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins.JoinGraph

/** Whether the Spark that the tests run on has all that StreaMon, compiled for its line, uses of it. */
class LinkageSuite extends AnyFunSuite {
  private def open(name: String): InputStream = getClass.getClassLoader.getResourceAsStream(name + ".class")

  private def classesOf(folder: Path): Seq[Path] =
    Using.resource(Files.walk(folder))(_.iterator.asScala.filter(_.toString.endsWith(".class")).toSeq)

  private def folderOf(some: Class[_]): Path =
    Path.of(some.getProtectionDomain.getCodeSource.getLocation.toURI)

  test(s"Spark $SPARK_VERSION has every name that StreaMon uses of it") {
    val linkage = new Linkage(open)
    val ours = classesOf(folderOf(classOf[StreamonExtensions])) ++ classesOf(folderOf(classOf[JoinGraph]))
    assert(ours.size > 500)
    val missing = ours.flatMap(file => linkage.missingFor(Files.newInputStream(file)))
    assert(missing.isEmpty, s"\n${missing.mkString("\n")}\nSpark $SPARK_VERSION lacks these")
  }

  test("what is missing is found: a class, a method, a field and a body") {
    val writer = new ClassWriter(0)
    writer.visit(
      Opcodes.V17,
      Opcodes.ACC_PUBLIC,
      "Probe",
      null,
      "java/lang/Object",
      Array("org/apache/spark/sql/SparkSessionExtensionsProvider")
    )
    val code = writer.visitMethod(Opcodes.ACC_STATIC, "probe", "()Lorg/apache/spark/Nothing;", null, null)
    code.visitMethodInsn(
      Opcodes.INVOKESTATIC,
      "org/apache/spark/SparkEnv",
      "get",
      "()Lorg/apache/spark/SparkEnv;",
      false
    )
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "org/apache/spark/SparkEnv", "gone", "()V", false)
    code.visitFieldInsn(
      Opcodes.GETSTATIC,
      "org/apache/spark/SparkEnv$",
      "MODULE$",
      "Lorg/apache/spark/SparkEnv$;"
    )
    code.visitFieldInsn(Opcodes.GETSTATIC, "org/apache/spark/SparkEnv$", "gone", "I")
    code.visitEnd()
    writer.visitEnd()
    val found = new Linkage(open).missingFor(new ByteArrayInputStream(writer.toByteArray))
    assert(
      found.toSet == Set(
        "Probe: class org/apache/spark/Nothing",
        "Probe: org/apache/spark/SparkEnv.gone()V",
        "Probe: org/apache/spark/SparkEnv$.goneI",
        "Probe: a body for scala/Function1.apply(Ljava/lang/Object;)Ljava/lang/Object;"
      )
    )
  }
}
