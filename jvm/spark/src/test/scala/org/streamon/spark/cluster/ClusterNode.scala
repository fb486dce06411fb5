package org.streamon.spark.cluster

/** A master or a worker of a standalone cluster, in a virtual machine of its own.
  *
  * Arguments: the class to run, and its arguments.
  */
object ClusterNode {
  def main(arguments: Array[String]): Unit = {
    WithStandardInput.end()
    Class
      .forName(arguments.head)
      .getMethod("main", classOf[Array[String]])
      .invoke(null, arguments.tail)
  }
}
