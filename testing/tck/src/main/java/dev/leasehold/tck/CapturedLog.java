package dev.leasehold.tck;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Captures Leasehold's log at every level while it is open. Needs Logback behind SLF4J. */
final class CapturedLog implements AutoCloseable {

    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold");
    private final @Nullable Level levelBefore = logger.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    CapturedLog() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.TRACE);
    }

    /** Returns the logged messages, with the messages of exceptions but without their stack traces. */
    List<String> messages() {
        return events.stream().map(CapturedLog::text).toList();
    }

    /** Returns the same, only for errors. */
    List<String> errors() {
        return events.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(CapturedLog::text)
                .toList();
    }

    private static String text(ILoggingEvent event) {
        StringBuilder text = new StringBuilder(event.getFormattedMessage());
        for (IThrowableProxy e = event.getThrowableProxy(); e != null; e = e.getCause()) {
            text.append(" | ").append(e.getMessage());
        }
        return text.toString();
    }

    @Override
    public void close() {
        logger.setLevel(levelBefore);
        logger.setAdditive(true);
        logger.detachAppender(appender);
        appender.stop();
    }
}
