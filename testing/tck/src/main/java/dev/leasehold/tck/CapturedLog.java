package dev.leasehold.tck;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

/**
 * Captures Leasehold's log at every level while it is open. Other contracts run beside the one that reads it: what names one of
 * their locks, which {@link ContractBase#name} names after them, is left out. Needs Logback behind SLF4J.
 */
final class CapturedLog implements AutoCloseable {

    private static final Logger LOGGER = logger();

    /** How many are open, and the level before. */
    private record Use(int open, @Nullable Level levelBefore) {}

    private static final AtomicReference<Use> USE = new AtomicReference<>(new Use(0, null));

    private final Pattern others;
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    /** While another thread initializes SLF4J, its loggers are substitutes. */
    private static Logger logger() {
        ILoggerFactory loggers = LoggerFactory.getILoggerFactory();
        while (loggers instanceof SubstituteLoggerFactory) {
            Thread.onSpinWait();
            loggers = LoggerFactory.getILoggerFactory();
        }
        return (Logger) loggers.getLogger("dev.leasehold");
    }

    CapturedLog(Class<?> contract) {
        others = Pattern.compile("(?<!\\w)(?!" + contract.getSimpleName() + ":)\\w+Contract:\\d");
        USE.updateAndGet(use -> new Use(use.open + 1, use.open == 0 ? LOGGER.getLevel() : use.levelBefore));
        appender.setContext(LOGGER.getLoggerContext());
        appender.start();
        LOGGER.addAppender(appender);
        LOGGER.setAdditive(false);
        LOGGER.setLevel(Level.TRACE);
    }

    /** Returns the logged messages, with the messages of exceptions but without their stack traces. */
    List<String> messages() {
        return events.stream()
                .map(CapturedLog::text)
                .filter(text -> !others.matcher(text).find())
                .toList();
    }

    /** Returns those about bugs in Leasehold, of whatever contract. */
    List<String> bugs() {
        return events.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(CapturedLog::text)
                .filter(text -> text.startsWith("a bug in Leasehold"))
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
        LOGGER.detachAppender(appender);
        appender.stop();
        Use use = USE.updateAndGet(before -> new Use(before.open - 1, before.levelBefore));
        if (use.open == 0) {
            LOGGER.setLevel(use.levelBefore);
            LOGGER.setAdditive(true);
        }
    }
}
