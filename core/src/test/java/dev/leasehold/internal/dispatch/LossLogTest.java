package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log says of a few losses, and of many at once. */
class LossLogTest {

    private static final LockOptions UNRENEWED =
            LockOptions.builder().renewal(Renewal.none()).build();

    private final EngineRig rig = new EngineRig();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.leases");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<Lease> leases = new ArrayList<>();

    @BeforeEach
    void capture() {
        logger.setLevel(Level.DEBUG);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopCapturing() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private void lose(int number) {
        for (int n = 0; n < number; n++) {
            leases.add(rig.engine
                    .lock(LockKey.of(EngineRig.PREFIX, "order:" + n), UNRENEWED)
                    .tryAcquire()
                    .orElseThrow());
        }
        rig.pass(EngineRig.LEASE.plusSeconds(10));
        assertThat(rig.lost).hasSize(number);
    }

    private List<String> said(Level level) {
        return log.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void manyLossesAtOnceAreOneLineWithTheirNumberAndTheFirstNames() {
        lose(10_000);
        assertThat(said(Level.WARN))
                .containsExactly(
                        "lost 10,000 leases within 500 ms: its lease time was over and no further renewal was due"
                                + " (10,000). The first were of the locks 'order:0', 'order:1', 'order:2', 'order:3', 'order:4',"
                                + " 'order:5', 'order:6', 'order:7', 'order:8', 'order:9'. Level DEBUG names all");
        assertThat(said(Level.DEBUG)).hasSize(10_000);
    }

    @Test
    void aFewLossesHaveALineEachAndLaterOnesAreNotAddedToThem() {
        lose(2);
        assertThat(said(Level.WARN)).hasSize(2).allMatch(line -> line.startsWith("lost the lease of lock 'order:"));
        rig.lost.clear();
        lose(1);
        assertThat(said(Level.WARN)).hasSize(3);
    }

    @Test
    void aClientThatIsClosedLogsItsLastLosses() {
        rig.held(UNRENEWED);
        while (rig.lost.isEmpty()) {
            rig.pass(Duration.ofMillis(100));
        }
        assertThat(said(Level.WARN)).isEmpty();
        rig.engine.flushLogs();
        assertThat(said(Level.WARN)).hasSize(1);
    }
}
