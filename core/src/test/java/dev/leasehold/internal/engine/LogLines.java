package dev.leasehold.internal.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a logger says during each test, at all levels. */
public final class LogLines implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;
    private final Level before;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    public LogLines(String name) {
        this.logger = (Logger) LoggerFactory.getLogger(name);
        this.before = logger.getLevel();
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        lines.start();
        logger.setLevel(Level.ALL);
        logger.addAppender(lines);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }

    /** Returns all messages. */
    public List<String> all() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Returns the messages at one level. */
    public List<String> at(Level level) {
        return lines.list.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
