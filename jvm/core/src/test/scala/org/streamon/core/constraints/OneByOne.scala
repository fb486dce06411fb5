package org.streamon.core.constraints

/** Micro-batches of one. */
object OneByOne {
  implicit final class Children(monitor: JoinDistanceMonitor) {
    def observeChild(key: Long): Unit = monitor.observeChildren(Array(key), 1, 1L)
  }

  implicit final class Clustered(monitor: ClusteringMonitor) {
    def observeOne(value: Long): Unit = monitor.observe(Array(value), 1, 1L)
  }

  implicit final class Scrambled(monitor: ScramblingMonitor) {
    def observeOne(value: Long): Unit = monitor.observe(Array(value), 1)
  }
}
