package org.streamon.spark.execution.python

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest
import java.util.HexFormat

/** The Python code of a filter. Spark sends it with the tasks, so that nothing must be installed on
  * executors. The jar contains its text, from `python/streamon_worker`.
  */
private[python] object WorkerProgram {

  /** Those first that others import. */
  private val modules =
    Seq(
      "rows",
      "batch",
      "conditions",
      "pickled",
      "row_functions",
      "joined",
      "vectorised",
      "functions",
      "profile",
      "steps",
      "run",
      "packs",
      "sampled",
      "line",
      "output",
      "program"
    )

  private lazy val bootstrap = source("bootstrap")
  private lazy val sources = modules.map(name => name -> source(name))

  /** With a number for its contents: a worker may serve two jars. */
  private lazy val name = {
    val digest = MessageDigest.getInstance("SHA-256")
    sources.foreach { case (_, text) => digest.update(text.getBytes(UTF_8)) }
    "streamon_worker_" + HexFormat.of.formatHex(digest.digest, 0, 8)
  }

  /** The pickled function of `mapInArrow` that runs a filter.
    *
    * @param spec
    *   what the program is told, as JSON
    * @param users
    *   the users' functions, pickled
    */
  def command(spec: String, users: Seq[Array[Byte]]): Array[Byte] = {
    import Pickle._
    val loaded = shared(dict(Nil))(call(global("builtins", "exec"), text(bootstrap), _)) { names =>
      val load = call(global("operator", "getitem"), names, text("load"))
      call(load, text(name), dict(sources.map { case (module, code) => (text(module), text(code)) }))
    }
    val module = call(global("operator", "getitem"), loaded, text("program"))
    val program = call(global("builtins", "getattr"), module, text("program"))
    bytes(tuple(call(program, text(spec), list(users.map(binary))), none))
  }

  private def source(module: String): String = {
    val stream = getClass.getResourceAsStream(s"/streamon_worker/$module.py")
    try new String(stream.readAllBytes(), UTF_8)
    finally stream.close()
  }
}
