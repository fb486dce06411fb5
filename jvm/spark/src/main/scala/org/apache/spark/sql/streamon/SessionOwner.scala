package org.apache.spark.sql.streamon

import scala.util.control.NonFatal

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.util.Utils

/** Whose queries a session runs. A Spark Connect server has users who are nobody else's business; whatever
  * else runs in a driver is one application.
  */
object SessionOwner {

  /** The user of Spark Connect; the session itself where the client names no user. None for a session of the
    * driver's own.
    */
  def of(session: SparkSession): Option[String] = {
    val id = SessionOfUser.id(session)
    def own = Some(s"session $id")
    try {
      val user = remote.find(call(_, "serverSessionId") == id).map(call(_, "userId"))
      user.flatMap(name => if (name == "") own else Some(s"user $name"))
    } catch {
      // A server that cannot be asked may have other users, so nobody sees what this session does.
      case NonFatal(_) | _: LinkageError => own
    }
  }

  /** The sessions of the server in this driver, if it runs one. */
  private def remote: Iterable[AnyRef] = service
    .filter(call(_, "started") == true)
    .fold(Iterable.empty[AnyRef]) { server =>
      call(call(server, "sessionManager"), "listActiveSessions").asInstanceOf[Iterable[AnyRef]]
    }

  /** Spark Connect is a jar of its own, which a driver may lack. */
  private lazy val service: Option[AnyRef] =
    try {
      val name = "org.apache.spark.sql.connect.service.SparkConnectService$"
      Some(Utils.classForName[AnyRef](name).getField("MODULE$").get(null))
    } catch { case _: ClassNotFoundException => None }

  private def call(on: AnyRef, method: String): AnyRef = on.getClass.getMethod(method).invoke(on)
}
