package org.streamon

import java.lang.management.ManagementFactory

/** What this thread allocates. */
object Allocated {
  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]

  /** Bytes. */
  def by(body: => Unit): Long = {
    val before = threads.getCurrentThreadAllocatedBytes
    body
    threads.getCurrentThreadAllocatedBytes - before
  }
}
