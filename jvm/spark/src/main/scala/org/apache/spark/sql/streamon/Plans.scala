package org.apache.spark.sql.streamon

import java.util.UUID

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.streaming.checkpointing.OffsetSeqMetadata
import org.apache.spark.sql.execution.streaming.runtime.{IncrementalExecution, WatermarkPropagator}
import org.apache.spark.sql.streaming.OutputMode

/** The plans of frames. */
object Plans {

  /** The execution of a frame, and for a frame of streams that of its first micro-batch, as EXPLAIN has it.
    */
  def of(frame: Dataset[_]): QueryExecution =
    if (!frame.isStreaming) frame.queryExecution
    else
      new IncrementalExecution(
        frame.sparkSession,
        frame.queryExecution.logical,
        OutputMode.Append(),
        "<unknown>",
        UUID.randomUUID,
        UUID.randomUUID,
        0,
        None,
        OffsetSeqMetadata(0, 0),
        WatermarkPropagator.noop(),
        isFirstBatch = false
      )
}
