package org.streamon.spark.joins

import scala.collection.mutable
import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.LongType
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.state.{GroupTable, KeyGroup}

class GroupTableSuite extends AnyFunSuite {
  private val project = UnsafeProjection.create(Array[org.apache.spark.sql.types.DataType](LongType))
  private def key(k: Long): UnsafeRow = project(InternalRow(k)).copy()

  test("it has what a map has, with numbers that several keys share") {
    val random = new Random(3)
    val (table, map) = (new GroupTable, mutable.Map.empty[Long, KeyGroup])
    def code(k: Long) = k % 37 * (1L << 40)
    for (step <- 0 until 20000) {
      val k = random.nextInt(200).toLong
      map.remove(k) match {
        case Some(group) => table.remove(group)
        case None        =>
          val group = new KeyGroup(key(k), 1, code(k), step.toLong)
          table.add(group)
          map.put(k, group)
      }
      val asked = random.nextInt(200).toLong
      assert(table.find(key(asked), code(asked)) eq map.getOrElse(asked, null))
      val known = map.keys.exists(code(_) == code(asked))
      assert((table.find(code(asked)) != null) == known)
    }
    val all = mutable.Set.empty[KeyGroup]
    table.foreach(all += _)
    assert(all == map.values.toSet)
  }
}
