package org.streamon.lab

/** Writes JSON: maps, sequences, strings, numbers, booleans. A number that JSON has no word for is null. */
private[lab] object Json {

  def write(value: Any): String = {
    val out = new StringBuilder
    append(value, out)
    out.toString
  }

  private def append(value: Any, out: StringBuilder): Unit = value match {
    case s: String => quote(s, out)
    case d: Double => out ++= (if (d.isNaN || d.isInfinite) "null" else d.toString)
    case m: Seq[_] if m.nonEmpty && m.forall(_.isInstanceOf[Field]) =>
      join(m.asInstanceOf[Seq[Field]], '{', '}', out) { f =>
        quote(f.name, out)
        out += ':'
        append(f.value, out)
      }
    case s: Seq[_] => join(s, '[', ']', out)(append(_, out))
    case other     => out ++= other.toString
  }

  /** One member of an object; a sequence of them is an object. */
  final case class Field(name: String, value: Any)

  def obj(fields: (String, Any)*): Seq[Field] = fields.map { case (name, value) => Field(name, value) }

  private def join[A](values: Seq[A], open: Char, close: Char, out: StringBuilder)(each: A => Unit): Unit = {
    out += open
    values.zipWithIndex.foreach { case (v, k) =>
      if (k > 0) out += ','
      each(v)
    }
    out += close
  }

  private def quote(s: String, out: StringBuilder): Unit = {
    out += '"'
    s.foreach {
      case '"'          => out ++= "\\\""
      case '\\'         => out ++= "\\\\"
      case '\n'         => out ++= "\\n"
      case c if c < ' ' => out ++= f"\\u${c.toInt}%04x"
      case c            => out += c
    }
    out += '"'
  }
}
