package org.streamon.spark.learning

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

/** Identifies an operator independently of its query. Operators with the same structure share what they
  * learn. It is a hash, since texts contain literals, which other users must not see.
  *
  * @param kind
  *   the kind of operator
  */
final case class Structure private (kind: String, hash: String)

object Structure {
  private val HashBytes = 16

  /** @param parts
    *   whatever tells operators of the kind apart, with types and literals
    */
  def apply(kind: String, parts: Iterable[String]): Structure = {
    val digest = MessageDigest.getInstance("SHA-256")
    // With its length, so that no two lists of parts are the same text.
    for (part <- Iterable(kind) ++ parts) digest.update(s"${part.length} $part".getBytes(UTF_8))
    new Structure(kind, HexFormat.of.formatHex(digest.digest, 0, HashBytes))
  }
}
