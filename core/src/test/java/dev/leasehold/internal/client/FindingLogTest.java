package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.inspect.Finding;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A late start logged the dangers of a server that the preflight refuses again every ten seconds. */
class FindingLogTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.preflight");
    private final Level before = logger.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final FindingLog log = new FindingLog();

    @BeforeEach
    void capture() {
        lines.start();
        logger.setLevel(Level.ALL);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }

    private static Finding danger(String subject, String text) {
        return new Finding(Finding.Level.DANGER, subject, text, "Remedy.");
    }

    @Test
    void aRepeatedPreflightLogsWhatTheOneBeforeDidNotFind() {
        Finding policy = danger("maxmemory-policy", "allkeys-lru with a memory limit.");
        log.log(List.of(policy, danger("clocks", "Differs by 1,200 ms.")));
        log.log(List.of(policy, danger("clocks", "Differs by 1,300 ms.")));
        assertThat(lines.list).hasSize(2);
        log.log(List.of(policy, danger("role", "This server is a replica.")));
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSize(3)
                .last()
                .isEqualTo("role: This server is a replica. Remedy.");
    }

    @Test
    void aFindingThatComesBackIsLoggedAgainAndNodesAreToldApartWithinOnePreflight() {
        List<Finding> nodes = List.of(danger("role", "10.0.0.1: a replica."), danger("role", "10.0.0.2: a replica."));
        log.log(nodes);
        log.log(List.of());
        log.log(nodes);
        assertThat(lines.list).hasSize(4);
    }
}
