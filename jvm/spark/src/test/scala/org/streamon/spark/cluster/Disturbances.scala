package org.streamon.spark.cluster

import org.apache.spark.sql.streamon.Executors
import org.scalatest.{Assertions, Suite}

/** What can happen to a task of a query on a cluster once it is held. */
trait Disturbances extends OnCluster { self: Suite =>

  sealed abstract class Disturbance(name: String) {

    /** @param settle
      *   waits until the query has done without the task, or with another attempt at it
      */
    def strike(held: Gate.Held)(settle: => Unit): Unit
    override def toString: String = name
  }

  object Kill extends Disturbance("killed") {
    override def strike(held: Gate.Held)(settle: => Unit): Unit = {
      cluster.kill(held.pid)
      gate.open()
      settle
    }
  }

  object Fail extends Disturbance("failed") {
    override def strike(held: Gate.Held)(settle: => Unit): Unit = {
      gate.fail()
      settle
    }
  }

  object Decommission extends Disturbance("decommissioned") {
    override def strike(held: Gate.Held)(settle: => Unit): Unit = {
      Executors.decommission(spark.sparkContext, held.executor)
      gate.open()
      settle
      eventually(Assertions.assert(!cluster.executors.exists(_.pid == held.pid)))
    }
  }

  /** A second attempt, which Spark makes since the first takes long, is done before the first goes on. */
  object Overtake extends Disturbance("overtaken") {
    override def strike(held: Gate.Held)(settle: => Unit): Unit = {
      settle
      Assertions.assert(!gate.hasEnded)
      gate.open()
      eventually(Assertions.assert(gate.hasEnded))
    }
  }

  val disturbances: Seq[Disturbance] = Seq(Kill, Fail, Decommission, Overtake)

  /** Closes the gate at a place, has something begin, and disturbs the task that is held there. */
  def disturb(disturbance: Disturbance, place: String)(begin: => Unit)(settle: => Unit): Unit = {
    gate.close(place)
    try {
      begin
      val held = eventually(gate.held.getOrElse(throw new IllegalStateException(s"nobody comes to $place")))
      disturbance.strike(held)(settle)
    } finally gate.open()
    cluster.awaitAll()
  }
}
