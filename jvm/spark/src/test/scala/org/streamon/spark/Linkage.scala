package org.streamon.spark

import java.io.InputStream

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.xbean.asm9.{ClassReader, Handle, MethodVisitor, Opcodes, Type}
import org.apache.xbean.asm9.tree.{ClassNode, MethodNode}

/** Looks for what class files name of Spark and of StreaMon and for what they would have to implement, among
  * the classes that are there: what a virtual machine finds missing only when it gets to it.
  *
  * @param open
  *   a class file by its name, such as `org/apache/spark/SparkContext`; null where there is none
  */
final class Linkage(open: String => InputStream) {
  private val known = mutable.Map.empty[String, Option[ClassNode]]

  /** What is missing for a class, a line each. */
  def missingFor(bytes: InputStream): Seq[String] = {
    val own = read(bytes)
    known(own.name) = Some(own)
    (named(own) ++ unimplemented(own)).map(missing => s"${own.name}: $missing")
  }

  private def named(own: ClassNode): Seq[String] = {
    val missing = mutable.LinkedHashSet.empty[String]
    def needClass(name: String): Unit = if (matters(name) && classOf(name).isEmpty) missing += s"class $name"
    def needMember(owner: String, name: String, descriptor: String): Unit = if (matters(owner)) {
      val family = ancestors(owner)
      val has = family.exists(node => membersOf(node, seenFrom = own).contains(name + descriptor))
      if (family.isEmpty) missing += s"class $owner"
      else if (!has) missing += s"$owner.$name$descriptor"
    }
    def needTypes(descriptor: String): Unit = typesIn(Type.getType(descriptor)).foreach(needClass)
    def needHandle(handle: Handle): Unit = needMember(handle.getOwner, handle.getName, handle.getDesc)

    (own.superName +: own.interfaces.asScala.toSeq).foreach(needClass)
    own.fields.asScala.foreach(field => needTypes(field.desc))
    val visitor = new MethodVisitor(Opcodes.ASM9) {
      override def visitTypeInsn(opcode: Int, name: String): Unit =
        typesIn(Type.getObjectType(name)).foreach(needClass)
      override def visitFieldInsn(opcode: Int, owner: String, name: String, descriptor: String): Unit =
        needMember(owner, name, descriptor)
      override def visitMethodInsn(
          opcode: Int,
          owner: String,
          name: String,
          descriptor: String,
          isInterface: Boolean
      ): Unit = needMember(owner, name, descriptor)
      override def visitLdcInsn(value: Any): Unit = value match {
        case t: Type => typesIn(t).foreach(needClass)
        case _       => ()
      }
      override def visitInvokeDynamicInsn(
          name: String,
          descriptor: String,
          bootstrap: Handle,
          arguments: AnyRef*
      ): Unit = arguments.foreach {
        case h: Handle => needHandle(h)
        case t: Type   => typesIn(t).foreach(needClass)
        case _         => ()
      }
    }
    for (method <- own.methods.asScala) {
      needTypes(method.desc)
      method.accept(visitor)
    }
    missing.toSeq
  }

  /** Methods without a body, of a class of which there are instances. */
  private def unimplemented(own: ClassNode): Seq[String] =
    if ((own.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) Nil
    else {
      val methods = ancestors(own.name).flatMap(node => node.methods.asScala.map(node -> _))
      val bodies = methods.collect { case (_, m) if !isAbstract(m) => m.name + m.desc }.toSet
      methods.collect {
        case (node, m) if isAbstract(m) && !bodies(m.name + m.desc) =>
          s"a body for ${node.name}.${m.name}${m.desc}"
      }.distinct
    }

  private def isAbstract(method: MethodNode): Boolean = (method.access & Opcodes.ACC_ABSTRACT) != 0

  private def membersOf(node: ClassNode, seenFrom: ClassNode): Set[String] = {
    def isSeen(access: Int) = (access & Opcodes.ACC_PRIVATE) == 0 || node.name == seenFrom.name
    val methods = node.methods.asScala.filter(m => isSeen(m.access)).map(m => m.name + m.desc)
    val fields = node.fields.asScala.filter(f => isSeen(f.access)).map(f => f.name + f.desc)
    (methods ++ fields).toSet
  }

  /** A class with all that it inherits from; empty where it is missing. */
  private def ancestors(name: String): Seq[ClassNode] = classOf(name).toSeq.flatMap { node =>
    node +: (Option(node.superName).toSeq ++ node.interfaces.asScala).flatMap(ancestors)
  }

  private def classOf(name: String): Option[ClassNode] = known.getOrElseUpdate(
    name,
    Option(open(name)).map(read)
  )

  private def read(bytes: InputStream): ClassNode = Using.resource(bytes) { in =>
    val node = new ClassNode
    new ClassReader(in).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES)
    node
  }

  private def typesIn(t: Type): Seq[String] = t.getSort match {
    case Type.OBJECT => Seq(t.getInternalName)
    case Type.ARRAY  => typesIn(t.getElementType)
    case Type.METHOD => (t.getReturnType +: t.getArgumentTypes.toSeq).flatMap(typesIn)
    case _           => Nil
  }

  private def matters(name: String): Boolean =
    name.startsWith("org/apache/spark/") || name.startsWith("org/streamon/")
}
