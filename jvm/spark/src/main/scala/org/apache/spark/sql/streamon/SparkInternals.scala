package org.apache.spark.sql.streamon

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType, MapType, VariantType}
import org.apache.spark.util.Utils

/** Functions of Spark's that are not public. */
object SparkInternals {

  /** The key with one NaN and one zero, so that equal numbers have equal bytes, as Spark's join keys have. */
  def normalizeFloats(key: Expression): Expression = NormalizeFloatingNumbers.normalize(key)

  /** Whether a type has floating-point numbers in it. */
  def hasFloats(of: DataType): Boolean = of.existsRecursively {
    case FloatType | DoubleType => true
    case _                      => false
  }

  /** Whether Spark's hash functions take values of a type. */
  def hashes(of: DataType): Boolean = !of.existsRecursively {
    case _: MapType | _: VariantType => true
    case _                           => false
  }

  /** Whether a state store provider has column families and scans of ranges. */
  def hasColumnFamilies(provider: String): Boolean =
    Try(
      classOf[RocksDBStateStoreProvider].isAssignableFrom(
        Utils.classForName[AnyRef](provider, initialize = false)
      )
    )
      .getOrElse(false)
}
