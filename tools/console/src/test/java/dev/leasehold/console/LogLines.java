package dev.leasehold.console;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The lines that a logger writes while this is open. */
final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private LogLines(Logger logger) {
        this.logger = logger;
        appender.start();
        logger.addAppender(appender);
    }

    static LogLines of(String name) {
        return new LogLines((Logger) LoggerFactory.getLogger(name));
    }

    List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
