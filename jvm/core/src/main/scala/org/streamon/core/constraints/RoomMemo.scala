package org.streamon.core.constraints

import java.util.{Arrays, HashMap}

/** What has been found of keys, each as seen from an input, with how much room: with more room whatever was
  * found is found again.
  */
private[constraints] final class RoomMemo(n: Int) {
  import RoomMemo._

  /** By key: for each input the greatest room with which nothing was found, then the least with which it was.
    */
  private val rooms = new HashMap[KeyRows, Array[Int]]

  /** `Yes`, `No`, or `Unknown`. */
  def apply(key: KeyRows, from: Int, room: Int): Int = {
    val known = rooms.get(key)
    if (known == null) Unknown
    else if (room <= known(from)) No
    else if (room >= known(n + from)) Yes
    else Unknown
  }

  /** Takes what was `Unknown`; gives it back. */
  def learn(key: KeyRows, from: Int, room: Int, found: Boolean): Boolean = {
    var known = rooms.get(key)
    if (known == null) {
      known = new Array[Int](2 * n)
      Arrays.fill(known, 0, n, -1)
      Arrays.fill(known, n, 2 * n, Int.MaxValue)
      rooms.put(key, known)
    }
    known(if (found) n + from else from) = room
    found
  }
}

private[constraints] object RoomMemo {
  val Unknown: Int = -1
  val No: Int = 0
  val Yes: Int = 1
}
