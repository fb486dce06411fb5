package org.streamon.spark

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.logging.log4j.Level
import org.apache.logging.log4j.core.{LogEvent, LoggerContext}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.{LoggerConfig, Property}

/** What StreaMon warns of in the log, which tests leave out. */
object Warnings {
  def during(body: => Unit): Seq[String] = {
    val found = new ConcurrentLinkedQueue[String]
    val keeper = new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = { found.add(event.getMessage.getFormattedMessage); () }
    }
    keeper.start()
    val context = LoggerContext.getContext(false)
    val logger = new LoggerConfig("org.streamon", Level.WARN, false)
    logger.addAppender(keeper, Level.WARN, null)
    context.getConfiguration.addLogger(logger.getName, logger)
    context.updateLoggers()
    try body
    finally {
      context.getConfiguration.removeLogger(logger.getName)
      context.updateLoggers()
    }
    found.asScala.toSeq
  }
}
