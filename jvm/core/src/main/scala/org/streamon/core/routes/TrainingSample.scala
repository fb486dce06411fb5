package org.streamon.core.routes

import java.util.random.RandomGenerator

import org.streamon.core.filters.{FilterSet, FilterSets, ProfileTuple, TimeHistogram}

/** Profiled rows with their attributes: the sample S of Query Mesh. It is a biased reservoir (C. C. Aggarwal:
  * On biased reservoir sampling in the presence of stream evolution, VLDB 2006): a row that comes when it is
  * full takes the place of a random one, so the chance that a row is still there falls exponentially with its
  * age, and the mean age is the capacity. To take in a row allocates nothing. Not thread-safe.
  *
  * @param n
  *   number of filters
  * @param capacity
  *   rows
  * @param random
  *   which row is replaced
  */
private[routes] final class TrainingSample(
    attributes: IndexedSeq[Attribute],
    n: Int,
    capacity: Int,
    random: RandomGenerator
) {
  require(capacity >= 1, s"sample = $capacity: must hold at least one row")

  private val width = attributes.size
  private val isNumber = attributes.map(_.isNumber).toArray
  private val numbers = new Array[Double](width * capacity)
  private val categories = new Array[String](width * capacity)
  private val nulls = new Array[Boolean](width * capacity)
  private val dropped, evaluated = new FilterSets(n, capacity)
  private val nanos = new Array[Long](n * capacity)
  private var count = 0

  def size: Int = count

  /** Takes in a row that every filter has evaluated, apart from those that a guard keeps from it. */
  def add(values: AttributeValues, tuple: ProfileTuple): Unit = {
    val slot = if (count < capacity) count else random.nextInt(capacity)
    if (count < capacity) count += 1
    var a = 0
    while (a < width) {
      val at = slot * width + a
      nulls(at) = values.isNull(a)
      if (nulls(at)) categories(at) = null
      else if (isNumber(a)) numbers(at) = values.number(a)
      else categories(at) = TrainingSample.kept(values.category(a))
      a += 1
    }
    dropped.put(slot, tuple.dropped)
    evaluated.put(slot, tuple.evaluated)
    System.arraycopy(tuple.nanos, 0, nanos, slot * n, n)
  }

  /** A sample of its own with the same rows: quick, while [[snapshot]] takes milliseconds. */
  def copy(): TrainingSample = {
    val other = new TrainingSample(attributes, n, capacity, random)
    numbers.copyToArray(other.numbers)
    categories.copyToArray(other.categories)
    nulls.copyToArray(other.nulls)
    other.dropped.set(dropped)
    other.evaluated.set(evaluated)
    nanos.copyToArray(other.nanos)
    other.count = count
    other
  }

  /** The sample as it is now. */
  def snapshot: TrainingSet = {
    val caps = Array.tabulate(n)(cap)
    TrainingSet(attributes, n, (0 until count).map(tuple(_, caps)))
  }

  private def tuple(slot: Int, caps: Array[Double]): TrainingTuple = {
    val drops, timed = new FilterSet(n)
    dropped.get(slot, drops)
    evaluated.get(slot, timed)
    val own = slot * width until (slot + 1) * width
    new TrainingTuple(
      own.map(numbers).toArray,
      own.map(categories).toArray,
      own.map(nulls).toArray,
      drops,
      1.0,
      Array.tabulate(n)(q => if (timed.contains(q)) math.min(nanos(slot * n + q).toDouble, caps(q)) else 0.0),
      Array.tabulate(n)(q => if (timed.contains(q)) 1.0 else 0.0)
    )
  }

  /** What one evaluation counts for at most, as in the windows of the orders: a pause of the machine is not
    * the filter's.
    */
  private def cap(q: Int): Double = {
    val times = (0 until count).filter(evaluated.contains(_, q)).map(slot => nanos(slot * n + q)).sorted
    if (times.isEmpty) 0.0 else TimeHistogram.Cap * math.max(times(times.size / 2), 1L)
  }
}

private[routes] object TrainingSample {

  /** A longer text is no category, and would take memory. Characters. */
  val LongestCategory = 64

  private def kept(category: String): String =
    if (category == null || category.length > LongestCategory) null else category
}
