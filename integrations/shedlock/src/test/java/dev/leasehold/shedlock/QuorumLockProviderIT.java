package dev.leasehold.shedlock;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.testkit.EmbeddedQuorum;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** On a quorum a lock ends with its lease, so lockAtLeastFor is not supported. */
class QuorumLockProviderIT {

    private static LockConfiguration job(Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "report", Duration.ofSeconds(30), atLeast);
    }

    @Test
    void aQuorumLocksJobsWithoutLockAtLeastForAndRefusesOthersImmediately() {
        try (EmbeddedQuorum redis = EmbeddedQuorum.start();
                QuorumLeasehold quorum = QuorumLeasehold.connect(redis.uris().toArray(String[]::new))) {
            redis.letCount();
            LeaseholdLockProvider provider = LeaseholdLockProvider.of(quorum.asLeasehold());
            assertThatThrownBy(() -> provider.lock(job(Duration.ofSeconds(1))))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("lockAtLeastFor")
                    .hasMessageContaining("job:report");
            SimpleLock lock = provider.lock(job(ZERO)).orElseThrow();
            assertThat(provider.lock(job(ZERO))).isEmpty();
            lock.unlock();
            provider.lock(job(ZERO)).orElseThrow().unlock();
        }
    }
}
