package org.apache.spark.sql.streamon

import java.io.{File, IOException}
import java.net.StandardSocketOptions
import java.nio.channels.SocketChannel
import java.util.{ArrayList, Collections, List => JList, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.{JobArtifactSet, SparkEnv, TaskContext}
import org.apache.spark.api.python.{
  ChainedPythonFunctions,
  PythonEvalType,
  PythonWorker => Worker,
  SimplePythonFunction
}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.PythonUDF
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.python.{ArrowPythonRunner, HybridRowQueue}
import org.apache.spark.sql.types.{StructField, StructType}
import org.apache.spark.sql.vectorized.{ArrowColumnVector, ColumnVector, ColumnarBatch}
import org.apache.spark.util.Utils

/** Runs Spark's Python workers for a function from batches of rows to batches of rows, as in `mapInArrow`.
  * Reuse, memory, broadcasts and accumulators are those of the users' functions in it.
  */
object PythonWorker {

  /** What a worker is told before any row comes; made on the driver. */
  final class Setup private[PythonWorker] (
      private[PythonWorker] val function: ChainedPythonFunctions,
      private[PythonWorker] val timeZone: String,
      private[PythonWorker] val largeVarTypes: Boolean,
      private[PythonWorker] val conf: Map[String, String],
      private[PythonWorker] val artifacts: Option[String],
      private[PythonWorker] val session: Option[String]
  ) extends Serializable

  /** @param command
    *   the pickled function
    * @param users
    *   functions that it calls
    */
  def setup(plan: SparkPlan, command: Array[Byte], users: Seq[PythonUDF]): Setup = {
    val conf = plan.conf
    val functions = users.flatMap(PythonFunctions.chain)
    val first = functions.head
    new Setup(
      ChainedPythonFunctions(
        Seq(
          new SimplePythonFunction(
            command,
            first.envVars,
            distinct(functions.map(_.pythonIncludes)),
            first.pythonExec,
            first.pythonVer,
            distinct(functions.map(_.broadcastVars)),
            first.accumulator
          )
        )
      ),
      conf.sessionLocalTimeZone,
      conf.arrowUseLargeVarTypes,
      workerConf(plan),
      JobArtifactSet.getCurrentJobArtifactState.map(_.uuid),
      Option.when(conf.pythonWorkerLoggingEnabled)(plan.session.sessionUUID)
    )
  }

  /** The settings that Spark's workers read. */
  def workerConf(plan: SparkPlan): Map[String, String] = ArrowPythonRunner.getPythonRunnerConfMap(plan.conf)

  private def distinct[A](lists: Seq[JList[A]]): JList[A] =
    new ArrayList(lists.flatMap(_.asScala).distinct.asJava)

  /** Sends batches of rows to a worker of the running task. The columns that it gives back, batch by batch.
    */
  def run(
      setup: Setup,
      schema: StructType,
      batches: Iterator[Iterator[InternalRow]],
      metrics: Map[String, SQLMetric]
  ): Iterator[ColumnarBatch] = {
    val context = TaskContext.get()
    val runner = new ArrowPythonRunner(
      Seq((setup.function, 0L)),
      PythonEvalType.SQL_MAP_ARROW_ITER_UDF,
      Array(Array(0)),
      StructType(Seq(StructField("struct", schema))),
      setup.timeZone,
      setup.largeVarTypes,
      setup.conf,
      metrics,
      setup.artifacts,
      setup.session
    ) {
      override protected def newWriter(
          env: SparkEnv,
          worker: Worker,
          input: Iterator[Iterator[InternalRow]],
          partition: Int,
          context: TaskContext
      ): Writer = {
        sendLittleAhead(worker, context)
        super.newWriter(env, worker, input, partition, context)
      }
    }
    // Such a function takes and gives the columns as one.
    runner.compute(batches.map(_.map(InternalRow(_))), context.partitionId(), context).map { batch =>
      val struct = batch.column(0).asInstanceOf[ArrowColumnVector]
      val width = struct.dataType.asInstanceOf[StructType].length
      new ColumnarBatch(Array.tabulate[ColumnVector](width)(struct.getChild), batch.numRows)
    }
  }

  /** Lets few rows wait on the way to a worker while the task runs. A system may keep megabytes of them,
    * which are all of a small partition: what is learned of the first ones would come too late for the
    * others.
    */
  private def sendLittleAhead(worker: Worker, context: TaskContext): Unit = {
    // Another task may take over the worker, also before this one has ended.
    val usual = usualBuffers.computeIfAbsent(worker.channel, _.getOption(StandardSocketOptions.SO_SNDBUF))
    worker.channel.setOption(StandardSocketOptions.SO_SNDBUF, Integer.valueOf(SentAhead))
    context.addTaskCompletionListener[Unit] { _ =>
      try worker.channel.setOption(StandardSocketOptions.SO_SNDBUF, usual)
      catch { case _: IOException => () } // the worker has ended
    }
  }

  /** Bytes that a system lets wait on the way to a worker that nobody has limited. */
  private val usualBuffers = Collections.synchronizedMap(new WeakHashMap[SocketChannel, Integer])

  /** Bytes. */
  private val SentAhead = 64 << 10

  /** Rows that wait for an answer, in the memory of the running task, and on disk where that does not do. */
  def queue(columns: Int): HybridRowQueue = {
    val context = TaskContext.get()
    val queue = HybridRowQueue(
      context.taskMemoryManager(),
      localFolder,
      columns
    )
    context.addTaskCompletionListener[Unit](_ => queue.close())
    queue
  }

  /** For files of the running executor. */
  def localFolder: File = new File(Utils.getLocalDir(SparkEnv.get.conf))
}
