package org.streamon.core.joins

/** Two ways to mix the bits of a number. Both are bijections. */
object Mixer {

  /** For tables: Fibonacci hashing (Knuth, The Art of Computer Programming, Section 6.4), by which numbers in
    * sequence, as keys often are, hardly collide.
    */
  def fibonacci(number: Long): Long = {
    val product = number * 0x9e3779b97f4a7c15L
    product ^ product >>> 32
  }

  /** For samples: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), after which every bit
    * depends on every bit.
    */
  def mix64(number: Long): Long = {
    val a = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L
    val b = (a ^ a >>> 27) * 0x94d049bb133111ebL
    b ^ b >>> 31
  }
}
