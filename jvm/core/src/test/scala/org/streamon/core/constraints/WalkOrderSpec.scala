package org.streamon.core.constraints

import java.util.SplittableRandom

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** A shuffle brings the rows of a micro-batch in any order, and a mirror that is rebuilt has those of earlier
  * ones in another: the same rows are dead, also where there is not room enough to find all.
  */
class WalkOrderSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  import WalkOrderSpec.Row

  /** R(A), S(A, B), T(B, C), U(C). */
  private val keys =
    new JoinKeys(Array(Array(0), Array(0, 1), Array(1, 2), Array(2)), new Array(3), new Array(3))

  /** What is dead when some of the rows have come with the latest micro-batch. */
  private def dead(rows: Seq[Row], isNew: Row => Boolean, open: Set[(Int, Long)], room: Int): Set[Row] = {
    val held = new LongRows(keys)
    val slots =
      for (row <- rows.filterNot(isNew) ++ rows.filter(isNew))
        yield row -> held.add(row.input, row.own: _*)
    val bySlot = slots.map { case (row, slot) => (row.input, slot) -> row }.toMap
    var died = Set.empty[Row]
    val walks = new DeadRows(
      keys,
      held,
      (_, group, input) => !open(input -> group.code),
      (_, _) => true,
      (input, slot) => died += bySlot(input -> slot),
      room
    )
    for ((row, slot) <- slots if isNew(row)) walks.arrived(row.input, slot)
    died
  }

  /** Few keys of many rows. */
  private def rowsOf(random: SplittableRandom): Vector[Row] = {
    val each = 1 + random.nextInt(4)
    Vector.tabulate(10 + random.nextInt(60)) { number =>
      val input = random.nextInt(4)
      Row(input, Seq.fill(keys.dimensionsOf(input).length)(random.nextInt(each).toLong), number)
    }
  }

  private def shuffled(rows: Vector[Row], random: SplittableRandom): Vector[Row] =
    rows.map(row => (random.nextLong(), row)).sortBy(_._1).map(_._2)

  test("what dies is the same whatever the order of rows, with however little room") {
    var (some, short) = (0, 0)
    forAll(Gen.choose(0L, Long.MaxValue), minSuccessful(500)) { seed =>
      val random = new SplittableRandom(seed)
      val rows = rowsOf(random)
      val open = Seq
        .fill(random.nextInt(3))((random.nextInt(4), random.nextInt(4).toLong))
        .toSet
      val newest = rows.filter(_ => random.nextInt(3) == 0).toSet
      val all = dead(rows, newest, open, room = 24)
      for (room <- 0 to 8 by 2) {
        val first = dead(rows, newest, open, room)
        assert(first.subsetOf(all), s"seed $seed, room $room")
        for (_ <- 1 to 5)
          assert(dead(shuffled(rows, random), newest, open, room) == first, s"seed $seed, room $room")
        if (first.nonEmpty) some += 1
        if (first.size < all.size) short += 1
      }
    }
    assert(some > 100 && short > 100, s"$some with dead rows, $short with too little room")
  }

  test("with room enough all that is dead by definition is found") {
    forAll(Gen.choose(0L, Long.MaxValue), minSuccessful(300)) { seed =>
      val random = new SplittableRandom(seed)
      val rows = rowsOf(random)
      val open = Seq.fill(random.nextInt(4))((random.nextInt(4), random.nextInt(4).toLong)).toSet
      val found = dead(rows, _ => true, open, room = 24)
      assert(found == rows.filterNot(mayMeet(_, rows, open)).toSet, s"seed $seed")
    }
  }

  /** Whether a row may be in a result with a row that is still to come. Each input of which rows may come for
    * some key is tried as the one that has it.
    */
  private def mayMeet(row: Row, rows: Seq[Row], open: Set[(Int, Long)]): Boolean = {
    def key(of: Row, d: Int) = of.own(keys.dimensionsOf(of.input).indexOf(d))

    /** Ways to go on from an input through one of its dimensions: without a row that is still to come, and
      * with one.
      */
    def behind(d: Int, code: Long, from: Int): (Boolean, Boolean) =
      keys.holders(d).filter(_ != from).map(side(d, code, _)).foldLeft((true, false)) {
        case ((without, having), (w, h)) => (without && w, without && h || having && (w || h))
      }

    def side(d: Int, code: Long, input: Int): (Boolean, Boolean) = {
      val held = rows.filter(r => r.input == input && key(r, d) == code).map { r =>
        keys
          .dimensionsOf(input)
          .filter(_ != d)
          .map(x => behind(x, key(r, x), input))
          .foldLeft((true, false)) { case ((without, having), (w, h)) =>
            (without && w, without && h || having && (w || h))
          }
      }
      // A row that comes has any keys elsewhere, and meets what may come there.
      (held.exists(_._1), held.exists(_._2) || open(input -> code))
    }

    keys
      .dimensionsOf(row.input)
      .map(d => behind(d, key(row, d), row.input))
      .foldLeft((true, false)) { case ((without, having), (w, h)) =>
        (without && w, without && h || having && (w || h))
      }
      ._2
  }
}

private object WalkOrderSpec {

  /** With a key for each dimension of its input. */
  final case class Row(input: Int, own: Seq[Long], number: Int)
}
