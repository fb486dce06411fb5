package org.streamon.spark.execution.python

import java.io.{ByteArrayOutputStream, DataOutputStream}
import java.nio.charset.StandardCharsets.UTF_8

/** A pickled Python value. Read from left to right, the operations build it. */
private[python] final class Pickle private (private val operations: Array[Byte])

private[python] object Pickle {

  /** The pickle as Python's `pickle.loads` takes it. */
  def bytes(value: Pickle): Array[Byte] = of { out =>
    out.write(Array[Byte](0x80.toByte, 3)) // PROTO
    out.write(value.operations)
    out.write('.') // STOP
  }.operations

  val none: Pickle = of(_.write('N'))

  def text(value: String): Pickle = sized('X', value.getBytes(UTF_8))

  def binary(value: Array[Byte]): Pickle = sized('B', value)

  def list(values: Seq[Pickle]): Pickle = of { out =>
    out.write(Array[Byte](']', '('))
    values.foreach(v => out.write(v.operations))
    out.write('e')
  }

  def tuple(values: Pickle*): Pickle = of { out =>
    out.write('(')
    values.foreach(v => out.write(v.operations))
    out.write('t')
  }

  def dict(entries: Seq[(Pickle, Pickle)]): Pickle = of { out =>
    out.write(Array[Byte]('}', '('))
    entries.foreach { case (key, value) =>
      out.write(key.operations)
      out.write(value.operations)
    }
    out.write('u')
  }

  /** What a call of a function gives. */
  def call(function: Pickle, arguments: Pickle*): Pickle = of { out =>
    out.write(function.operations)
    out.write(tuple(arguments: _*).operations)
    out.write('R')
  }

  /** A name of a module of Python's own. */
  def global(module: String, name: String): Pickle = of(_.write(s"c$module\n$name\n".getBytes(UTF_8)))

  /** What `use` makes of a value that is needed several times, after `first` has been done with it. */
  def shared(value: Pickle)(first: Pickle => Pickle)(use: Pickle => Pickle): Pickle = of { out =>
    val known = of(_.write(Array[Byte]('h', 0))) // BINGET
    out.write(value.operations)
    out.write(Array[Byte]('q', 0, '0')) // BINPUT, POP
    out.write(first(known).operations)
    out.write('0')
    out.write(use(known).operations)
  }

  private def sized(operation: Char, content: Array[Byte]) = of { out =>
    out.write(operation.toInt)
    out.writeInt(Integer.reverseBytes(content.length))
    out.write(content)
  }

  private def of(write: DataOutputStream => Unit): Pickle = {
    val bytes = new ByteArrayOutputStream
    write(new DataOutputStream(bytes))
    new Pickle(bytes.toByteArray)
  }
}
