package org.streamon.spark.cluster

/** Ends a process that a test started when its standard input ends, so that it does not outlive the test. */
object WithStandardInput {
  def end(): Unit = {
    val watch = new Thread(() => {
      while (System.in.read() >= 0) ()
      Runtime.getRuntime.halt(1)
    })
    watch.setDaemon(true)
    watch.start()
  }
}
