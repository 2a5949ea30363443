package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.internal.engine.EngineRig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A hold that was extended is released until that end, whichever of its leases extended it, and whichever is the last. */
class HoldSpanTest {

    private static final String HOUR = "3600000000";
    private static final Duration AN_HOUR = Duration.ofHours(1).minus(EngineRig.LEASE);

    private final EngineRig rig = new EngineRig();
    private final DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);

    HoldSpanTest() {
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", HOUR));
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", HOUR, Long.toString(rig.time.serverMicros())));
    }

    /** Redis does not answer the release for two minutes. */
    private void isReleasedAfterAnOutage(Lease lease) {
        rig.redis.silent("release");
        CompletableFuture<Void> release = lease.releaseAsync().toCompletableFuture();
        rig.pass(Duration.ofMinutes(2));
        assertThat(release).isDone();
        int before = rig.redis.sent("release").size();
        rig.redis.answers("release", call -> rig.redis.reply("released"));
        rig.pass(Duration.ofMinutes(2));
        assertThat(rig.redis.sent("release")).hasSizeGreaterThan(before);
    }

    private Lease extendedWriter() throws InterruptedException {
        Lease writer = lock.writeLock().acquire();
        assertThat(writer.extend(AN_HOUR)).isTrue();
        return writer;
    }

    @Test
    void ofItsOnlyLease() throws Exception {
        isReleasedAfterAnOutage(extendedWriter());
    }

    @Test
    void ofAWriterThatIsAReaderNowThoughTheExtensionGotNoAnswer() throws Exception {
        Lease writer = lock.writeLock().acquire();
        rig.redis.silent("renew");
        CompletableFuture<Boolean> unanswered = writer.extendAsync(AN_HOUR).toCompletableFuture();
        assertThat(unanswered).isNotDone();
        isReleasedAfterAnOutage(lock.downgrade(writer));
    }

    @Test
    void ofReadersOfWhomAnotherExtendedIt() throws Exception {
        Lease first = lock.readLock().acquire();
        Lease second = lock.readLock().acquire();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        assertThat(second.extend(AN_HOUR)).isTrue();
        second.release();
        isReleasedAfterAnOutage(first);
    }

    /** It would be valid for an hour, and block others for as long if its process died. */
    @Test
    void noReaderJoinsAHoldThatLastsForLongerThanItsLease() throws Exception {
        Lease first = lock.downgrade(extendedWriter());
        int asked = rig.redis.sent("acquire").size();
        Lease second = lock.readLock().acquire();
        assertThat(rig.redis.sent("acquire")).hasSize(asked + 1);
        assertThat(second.remaining()).isLessThanOrEqualTo(EngineRig.LEASE);
        assertThat(first.isHeld()).isTrue();
    }
}
