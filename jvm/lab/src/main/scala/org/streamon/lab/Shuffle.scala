package org.streamon.lab

import java.util.SplittableRandom

private[lab] object Shuffle {

  /** A copy in random order, by Fisher and Yates. */
  def apply[A](values: Array[A], random: SplittableRandom): Array[A] = {
    val shuffled = values.clone()
    for (k <- shuffled.indices.reverse) {
      val other = random.nextInt(k + 1)
      val kept = shuffled(k)
      shuffled(k) = shuffled(other)
      shuffled(other) = kept
    }
    shuffled
  }
}
