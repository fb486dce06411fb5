package org.streamon.core.util

import java.util.stream.IntStream

import scala.util.Try

/** Divides work on many things among the cores of this process. */
object InParallel {

  /** A function of each, in their order. It must not depend on what else was done.
    *
    * @param part
    *   how many are done together; fewer are not worth another thread
    * @throws Exception
    *   what the function threw for the first for which it failed. The others are computed all the same
    */
  def map[A, B](items: IndexedSeq[A], part: Int = 1)(f: A => B): IndexedSeq[B] =
    if (items.size <= part) items.map(f)
    else {
      val parts = items.grouped(part).toIndexedSeq
      val results = new Array[Try[IndexedSeq[B]]](parts.size)
      IntStream.range(0, parts.size).parallel().forEach(p => results(p) = Try(parts(p).map(f)))
      results.iterator.flatMap(_.get).toIndexedSeq
    }
}
