package org.apache.spark.sql.streamon

import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.util.Utils

/** The owner of the queries of a session. The users of a Spark Connect server must not see each other's
  * queries. All other sessions of a driver belong to one application.
  */
object SessionOwner {

  /** The user of Spark Connect; the session itself where the client names no user, and for the sessions of
    * the driver's own beside a server. None in a driver without one.
    */
  def of(session: SparkSession): Option[String] = {
    val id = SessionOfUser.id(session)
    def own = Some(s"session $id")
    try
      service.filter(call(_, "started") == true).flatMap { server =>
        val user = remote(server).find(call(_, "serverSessionId") == id).map(call(_, "userId"))
        user.orElse(tagged(session)).filter(_ != "").fold(own)(name => Some(s"user $name"))
      }
    catch {
      // A server that cannot be asked may have other users, so nobody sees what this session does.
      case NonFatal(_) | _: LinkageError => own
    }
  }

  private def remote(server: AnyRef): Iterable[AnyRef] =
    call(call(server, "sessionManager"), "listActiveSessions").asInstanceOf[Iterable[AnyRef]]

  /** The user for whose operation this thread works, by the tag of its jobs: Spark plans a cached frame in a
    * clone of the session, which the server does not know, and a session that closes goes on for a while.
    */
  private def tagged(session: SparkSession): Option[AnyRef] =
    Option(session.sparkContext.getLocalProperty(SparkContext.SPARK_JOB_TAGS))
      .flatMap(OperationTag.findFirstMatchIn(_))
      .map(_.group(1))

  private val OperationTag = "SparkConnect_OperationTag_User_(.*)_Session_.*_Operation_".r

  /** Spark Connect is a jar of its own, which a driver may lack. */
  private lazy val service: Option[AnyRef] =
    try {
      val name = "org.apache.spark.sql.connect.service.SparkConnectService$"
      Some(Utils.classForName[AnyRef](name).getField("MODULE$").get(null))
    } catch { case _: ClassNotFoundException => None }

  private def call(on: AnyRef, method: String): AnyRef = on.getClass.getMethod(method).invoke(on)
}
