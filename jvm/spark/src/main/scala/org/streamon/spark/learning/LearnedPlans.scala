package org.streamon.spark.learning

import scala.collection.mutable

/** The latest learned plan of each operator, by scope and structure. The most recently used plans are kept
  * within a limit. Plans are only advice, so a lost plan does no harm.
  *
  * @param mostBytes
  *   the limit in bytes, approximately
  */
class LearnedPlans(mostBytes: Long) {
  private val plans = mutable.LinkedHashMap.empty[(String, Structure), LearnedPlan]
  private var bytes = 0L

  /** @param scope
    *   who shares what is learned: nobody sees the plans of another scope
    */
  def get(scope: String, structure: Structure): Option[LearnedPlan] = synchronized {
    val key = (scope, structure)
    val found = plans.remove(key)
    found.foreach(plans.put(key, _))
    found
  }

  def put(scope: String, structure: Structure, plan: LearnedPlan): Unit = synchronized {
    val key = (scope, structure)
    plans.remove(key).foreach(old => bytes -= bytesOf(scope, old))
    plans.put(key, plan)
    bytes += bytesOf(scope, plan)
    while (bytes > mostBytes) {
      val oldest = plans.head
      plans.remove(oldest._1)
      bytes -= bytesOf(oldest._1._1, oldest._2)
    }
  }

  def size: Int = synchronized(plans.size)

  private def bytesOf(scope: String, plan: LearnedPlan) = plan.bytes + scope.length
}

/** The learned plans of the driver. */
object LearnedPlans extends LearnedPlans(4L << 20)
