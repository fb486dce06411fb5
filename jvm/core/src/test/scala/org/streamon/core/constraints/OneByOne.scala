package org.streamon.core.constraints

/** Micro-batches of one. */
object OneByOne {
  implicit final class Children(monitor: JoinDistanceMonitor) {
    def childArrives(key: Long): Unit = monitor.childrenArrive(Array(key), 1, 1L)
  }

  implicit final class Clustered(monitor: ClusteringMonitor) {
    def arrives(value: Long): Unit = monitor.arrive(Array(value), 1, 1L)
  }

  implicit final class Scrambled(monitor: ScramblingMonitor) {
    def arrives(value: Long): Unit = monitor.arrive(Array(value), 1)
  }
}
