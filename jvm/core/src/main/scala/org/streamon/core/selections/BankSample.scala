package org.streamon.core.selections

/** What a sampled row says of the conditions of its rules. Reused for every row. Not thread-safe.
  *
  * @param conditions
  *   how many there are
  */
final class BankSample(conditions: Int) {
  private[selections] val evaluated = new Array[Int](conditions)
  private[selections] val isDropped = new Array[Boolean](conditions)
  private[selections] val nanos = new Array[Long](conditions)
  private[selections] var size = 0

  /** By condition, the rules that have it. */
  private[selections] val uses = new Array[Int](conditions)
  private val used = new Array[Int](conditions)
  private var usedSize = 0

  /** A condition was evaluated.
    *
    * @param drops
    *   whether it is not true
    */
  def add(condition: Int, drops: Boolean, nanos: Long): Unit = {
    evaluated(size) = condition
    isDropped(condition) = drops
    this.nanos(condition) = nanos
    size += 1
  }

  /** A rule of the row has a condition. */
  def use(condition: Int): Unit = {
    if (uses(condition) == 0) {
      used(usedSize) = condition
      usedSize += 1
    }
    uses(condition) += 1
  }

  def clear(): Unit = {
    size = 0
    while (usedSize > 0) {
      usedSize -= 1
      uses(used(usedSize)) = 0
    }
  }
}
