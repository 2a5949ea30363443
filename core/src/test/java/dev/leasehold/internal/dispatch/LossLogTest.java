package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.LogLines;
import dev.leasehold.internal.key.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the log says of a few losses, and of many at once. */
class LossLogTest {

    private static final LockOptions UNRENEWED =
            LockOptions.builder().renewal(Renewal.none()).build();

    private final EngineRig rig = new EngineRig();
    private final List<Lease> leases = new ArrayList<>();

    @RegisterExtension
    final LogLines log = new LogLines("dev.leasehold.leases");

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

    @Test
    void manyLossesAtOnceAreOneLineWithTheirNumberAndTheFirstNames() {
        lose(10_000);
        assertThat(log.at(Level.WARN))
                .containsExactly(
                        "lost 10,000 leases within 500 ms: its lease time was over and no further renewal was due"
                                + " (10,000). The first were of the locks 'order:0', 'order:1', 'order:2', 'order:3', 'order:4',"
                                + " 'order:5', 'order:6', 'order:7', 'order:8', 'order:9'. Level DEBUG names all");
        assertThat(log.at(Level.DEBUG)).hasSize(10_000);
    }

    @Test
    void aFewLossesHaveALineEachAndLaterOnesAreNotAddedToThem() {
        lose(2);
        assertThat(log.at(Level.WARN)).hasSize(2).allMatch(line -> line.startsWith("lost the lease of lock 'order:"));
        rig.lost.clear();
        lose(1);
        assertThat(log.at(Level.WARN)).hasSize(3);
    }

    @Test
    void aClientThatIsClosedLogsItsLastLosses() {
        rig.held(UNRENEWED);
        while (rig.lost.isEmpty()) {
            rig.pass(Duration.ofMillis(100));
        }
        assertThat(log.at(Level.WARN)).isEmpty();
        rig.engine.flushLogs();
        assertThat(log.at(Level.WARN)).hasSize(1);
    }
}
