package org.streamon.spark.learning

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

/** What an operator is, apart from the query that it is in: what is learned of one operator is good for every
  * other of the same structure. A hash, since texts have literals, which are nobody else's business.
  *
  * @param kind
  *   of operator
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
