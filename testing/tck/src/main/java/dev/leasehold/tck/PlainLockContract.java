package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.interop.Formats;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Plain locks: the common convention of a string written by SET with NX and PX, which only its holder deletes. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a string cannot hold the fields that a majority needs")
class PlainLockContract extends WiredBase {

    private static final long HOUR = 3_600_000;

    /** Takes the lock as another program that follows the convention, perhaps in another language. */
    private void takenByAnother(String key, long millis) {
        assertThat(server(key).command("SET", key, "theirs", "NX", "PX", Long.toString(millis)))
                .isEqualTo("OK");
    }

    @Test
    void theKeyIsTheNameAsItIsAndItsValueIsAStringThatExpiresWithTheLease() throws Exception {
        for (String name : List.of(name(), name() + ":{a}{b} \n\"'%41", name() + ":抽奖")) {
            try (Lease lease =
                    client().lock(name, Formats.plain()).with(unrenewed(20_000)).acquire()) {
                assertThat(lease.name()).isEqualTo(name);
                assertThat(list(server(name).command("KEYS", "*")))
                        .singleElement()
                        .hasToString(name);
                assertThat(server(name).command("TYPE", name)).isEqualTo("string");
                assertThat(value(name)).hasSizeGreaterThanOrEqualTo(20).startsWith(lease.owner());
                // Its end is rounded up to a whole millisecond.
                assertThat(left(name)).isBetween(10_000L, 20_001L);
                assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
            }
            assertThat(exists(name)).isFalse();
        }
    }

    @Test
    void eachAcquisitionHasAValueOfItsOwn() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name, Formats.plain());
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            try (Lease lease = lock.acquire()) {
                values.add(value(name));
            }
        }
        assertThat(values).doesNotHaveDuplicates();
    }

    @Test
    void anyProgramThatFollowsTheConventionIsExcludedAndExcludes() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name, Formats.plain());
        takenByAnother(name, HOUR);
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(value(name)).isEqualTo("theirs");
        server(name).command("DEL", name);
        try (Lease lease = lock.acquire()) {
            assertThat(server(name).command("SET", name, "theirs", "NX", "PX", "1000"))
                    .isNull();
            lease.ensureHeld();
        }
    }

    @Test
    void aLockWhoseHolderDiedIsFreeWhenItsKeyExpires() throws Exception {
        String name = name();
        takenByAnother(name, 300);
        client().lock(name, Formats.plain()).acquire(LIMIT).close();
    }

    @Test
    void aKeyThatNeverExpiresIsBusyAndLeftAsItIs() throws Exception {
        String name = name();
        server(name).command("SET", name, "theirs");
        DistributedLock lock = client().lock(name, Formats.plain()).with(lease(20_000));
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(left(name)).isEqualTo(-1);
        LockInfo info = lock.inspect().orElseThrow();
        assertThat(info.left()).isEqualTo(Duration.ofDays(1));
        assertThat(info.owner()).isEqualTo("theirs");
        assertThat(info.host()).isEmpty();
        assertThat(info.since()).isNull();
        server(name).command("DEL", name);
        lock.acquire(LIMIT).close();
    }

    @Test
    void aReleaseDeletesNoOtherHoldersKeyAndReportsTheLoss() throws Exception {
        String name = name();
        Lease lease =
                client().lock(name, Formats.plain()).with(unrenewed(20_000)).acquire();
        server(name).command("SET", name, "theirs", "PX", "60000");
        assertThatThrownBy(lease::release)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(name)
                .hasMessageNotContaining("token")
                .extracting(e -> ((LeaseLostException) e).lossCause())
                .isEqualTo(LossCause.TAKEN_OVER);
        assertThat(value(name)).isEqualTo("theirs");
    }

    @Test
    void aLeaseIsRenewedWhileItIsHeldByOneCallForMany() throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        Leasehold leasehold = client(server().uri(), builder -> builder.listener(counting(renewals)));
        String prefix = name();
        LockOptions renewedEarly =
                lease(6000).toBuilder().renewal(Renewal.afterRatio(0.15)).build();
        // Of one slot of a cluster, where calls have keys of one.
        String together = "{" + prefix + "}:";
        EmbeddedRedis keeper = server(together);
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(leasehold
                    .lock(together + i, Formats.plain())
                    .with(renewedEarly)
                    .acquire());
        }
        // A lock of another kind whose renewal is due at the same time.
        leases.add(leasehold.lock(prefix).with(renewedEarly).acquire());
        keeper.resetStats();
        long end = holdEnd(prefix);
        untilProlonged(leases.stream().limit(20).map(Lease::name).toList(), 1200);
        assertThat(holdEnd(prefix)).isGreaterThan(end);
        assertThat(leases).allSatisfy(Lease::ensureHeld);
        assertThat(keeper.commandCounts().get("evalsha")).isBetween(2L, renewals.get() - 1L);
        for (Lease lease : leases) {
            lease.release();
        }
    }

    @Test
    void aLossIsReportedAtTheNextRenewal() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> deleted = new CompletableFuture<>();
        Lease lease = client().lock(name, Formats.plain()).with(renewedSoon()).acquire();
        lease.onLost(deleted::complete);
        server(name).command("DEL", name);
        await().until(deleted::isDone);
        assertThat(deleted.join().cause()).isEqualTo(LossCause.DELETED);
        assertThat(deleted.join().fencingToken()).isZero();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aRenewalFindsThatAnotherHasTheKeyAndLeavesItAsItIs() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> taken = new CompletableFuture<>();
        Lease lease = client().lock(name, Formats.plain()).with(renewedSoon()).acquire();
        lease.onLost(taken::complete);
        server(name).command("SET", name, "theirs");
        await().until(taken::isDone);
        assertThat(taken.join().cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThat(value(name)).isEqualTo("theirs");
        assertThat(left(name)).isEqualTo(-1);
    }

    @Test
    void anExtensionAddsToWhatRemainsAndNothingShortensIt() throws Exception {
        String name = name();
        try (Lease lease =
                client().lock(name, Formats.plain()).with(lease(10_000)).acquire()) {
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            assertThat(left(name)).isBetween(50_000L, 70_000L);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(50));
            lease.ensureHeld();
            assertThat(left(name)).isGreaterThan(50_000L);
        }
    }

    @Test
    void aWaiterPollsAtItsIntervalUpToItsNumberOfTriesWhateverItsStrategy() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        takenByAnother(name, HOUR);
        for (boolean wakeUps : List.of(true, false)) {
            LockOptions options = LockOptions.builder()
                    .waitStrategy(new WaitStrategy(Duration.ofMillis(1), 3, wakeUps))
                    .build();
            DistributedLock lock = leasehold.lock(name, Formats.plain()).with(options);
            lock.inspect();
            server().resetStats();
            assertThatThrownBy(lock::acquire)
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("3 tries");
            // Each of them asked how long the other has the lock; a release in the end, of what may be granted yet,
            // does not.
            assertThat(server().commandCounts()).containsEntry("pttl", 3L);
            assertThat(list(server().command("PUBSUB", "CHANNELS", "leasehold:*")))
                    .isEmpty();
        }
        CompletableFuture<Lease> waiting = waiter(leasehold.lock(name, Formats.plain()));
        server(name).command("DEL", name);
        granted(waiting).release();
    }

    @Test
    void threadsOfOneClientAreServedOneAfterAnotherByRedis() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        Lease held = leasehold.lock(name, Formats.plain()).acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(waiter(leasehold.lock(name, Formats.plain())));
        }
        held.release();
        for (int i = 0; i < 5; i++) {
            soon().until(() -> waiting.stream().anyMatch(CompletableFuture::isDone));
            CompletableFuture<Lease> next = waiting.stream()
                    .filter(CompletableFuture::isDone)
                    .findFirst()
                    .orElseThrow();
            waiting.removeIf(one -> one == next);
            assertThat(value(name)).startsWith(next.join().owner());
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            next.join().release();
        }
    }

    @Test
    void thereIsNoFencingTokenAndNoNamedOwnerAndTheMessageNamesTheAlternative() throws Exception {
        DistributedLock lock = client().lock(name(), Formats.plain());
        try (Lease lease = lock.acquire()) {
            assertThatThrownBy(lease::fencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(lock.name())
                    .hasMessageContaining("LockFormat.leasehold()");
            assertThat(lease.toString()).contains(lock.name()).doesNotContain("token");
        }
        assertThatThrownBy(() -> lock.ownedBy("order-17"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("LockFormat.leasehold()");
    }

    @Test
    void whatIsNoStringIsRefusedAndLeftAsItIs() {
        String name = name();
        Leasehold leasehold = client();
        server(name).command("HSET", name, "some", "thing");
        DistributedLock lock = leasehold.lock(name, Formats.plain());
        for (Runnable use : List.<Runnable>of(lock::tryAcquire, lock::inspect, lock::forceRelease)) {
            assertThatThrownBy(use::run).isInstanceOf(ForeignKeyException.class).hasMessageContaining("hash");
        }
        assertThat(server(name).command("HGET", name, "some")).isEqualTo("thing");
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // each is refused while the other is held
    void aPlainLockAndALeaseholdLockUnderTheSameKeyRefuseEachOther() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        assertThatThrownBy(() -> leasehold.lock(key(name), Formats.plain()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key(name));
        // Another prefix is not known here.
        DistributedLock plain =
                client(server().uri(), builder -> builder.keyPrefix("other")).lock(key(name), Formats.plain());
        DistributedLock ours = leasehold.lock(name);
        ours.lock();
        assertThat(plain.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(plain::tryLock).isInstanceOf(ForeignKeyException.class);
        ours.unlock();
        server(key(name)).command("DEL", key(name));
        plain.lock();
        assertThatThrownBy(ours::tryLock).isInstanceOf(ForeignKeyException.class);
        CompletableFuture<Lease> waiting = waiter(ours);
        await().until(waiting::isDone);
        assertThat(waiting).isCompletedExceptionally();
        plain.unlock();
    }

    @Test
    void inspectShowsWhatIsKnownAndForceTakesItAway() throws Exception {
        String name = name();
        LockOptions labelled = unrenewed(20_000).toBuilder().label("line\nfeed").build();
        CompletableFuture<Lease> taken = new CompletableFuture<>();
        Thread holder = new Thread(
                () -> taken.complete(client().lock(name, Formats.plain())
                        .with(labelled)
                        .tryAcquire()
                        .orElseThrow()),
                "pool\n1 2");
        holder.start();
        Lease lease = taken.get(1, TimeUnit.MINUTES);
        DistributedLock lock = client().lock(name, Formats.plain());
        LockInfo info = lock.inspect().orElseThrow();
        assertThat(info.name()).isEqualTo(name);
        assertThat(info.owner()).isEqualTo(lease.owner());
        assertThat(info.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(info.host()).isNotEmpty();
        assertThat(info.thread()).isEqualTo("pool 1 2");
        assertThat(info.label()).isEqualTo("line\nfeed");
        assertThat(info.left()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        assertThat(info.since())
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        assertThat(info.toString()).doesNotContain(value(name).substring(0, 22));
        assertThatThrownBy(() -> lock.forceRelease(1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(name);
        assertThat(lock.forceRelease()).isTrue();
        assertThat(lock.forceRelease()).isFalse();
        assertThat(lock.inspect()).isEmpty();
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aForcedReleaseLeavesWhatDoesNotLookLikeALock() {
        // security finding 10: one name mistaken for another would delete a counter or cached data.
        String name = name();
        DistributedLock lock = client().lock(name, Formats.plain());
        DistributedLock whatever = client().lock(name, Formats.plainAnyValue());
        for (String value : List.of(
                "17",
                "1",
                "1700000000000",
                "12345678.5",
                "locked",
                "{\"user\":\"a\"}",
                "x".repeat(257),
                "some words")) {
            server(name).command("SET", name, value, "PX", "60000");
            assertLeft(name, lock, value);
            assertThat(whatever.forceRelease()).as(value).isTrue();
            assertThat(exists(name)).isFalse();
        }
        String id = "0fa5a1a5-0a34-4a9e-8c1e-6a9f0f1a2b3c";
        server(name).command("SET", name, id);
        assertLeft(name, lock, id);
        for (String value : List.of(id, "ADDED:2026-01-01T00:00:00.000Z@host", "Zm9vYmFyIGJheiBxdXV4IQ==")) {
            server(name).command("SET", name, value, "PX", "60000");
            assertThat(lock.forceRelease()).as(value).isTrue();
            assertThat(exists(name)).isFalse();
        }
    }

    private void assertLeft(String name, DistributedLock lock, String value) {
        assertThatThrownBy(lock::forceRelease)
                .as(value)
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("plainAnyValue");
        assertThat(server(name).command("GET", name)).isEqualTo(value);
    }

    /** Keeps the first acquire, which gets no answer, until the test sends it. */
    private static CompletableFuture<Supplier<CompletionStage<List<String>>>> keepsTheFirstRequest(Wiretap wire) {
        CompletableFuture<Supplier<CompletionStage<List<String>>>> kept = new CompletableFuture<>();
        wire.next("plain_acquire", (call, go) -> {
            kept.complete(go);
            return Wiretap.lost();
        });
        return kept;
    }

    @Test
    void aRequestThatArrivesAfterItsCallerHasLeftLeavesNoKeyHeld() throws Exception {
        // hazard 6, where Redis has no field to record the ids that must not be granted any more.
        String name = name();
        Wiretap wire = wire();
        CompletableFuture<Supplier<CompletionStage<List<String>>>> kept = keepsTheFirstRequest(wire);
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofSeconds(3)));
        Lease second =
                leasehold.lock(name, Formats.plain()).with(unrenewed(60_000)).acquire();
        second.release();
        assertThat(Wiretap.executed(kept.join())).first().isEqualTo("granted");
        await().until(() -> !exists(name));
    }

    @Test
    void aRequestThatArrivesTooLateIsRefused() throws Exception {
        String name = name();
        Wiretap wire = wire();
        CompletableFuture<Supplier<CompletionStage<List<String>>>> kept = keepsTheFirstRequest(wire);
        Duration limit = Duration.ofMillis(200);
        long created = serverMicros();
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(limit));
        leasehold.lock(name, Formats.plain()).acquire().release();
        untilLate(created, limit);
        assertThat(Wiretap.executed(kept.join())).first().isEqualTo("stale");
        assertThat(exists(name)).isFalse();
    }

    @Test
    void aRetryOfAGrantedAcquireIsAnsweredWithItsHold() throws Exception {
        String name = name();
        Wiretap wire = wire();
        wire.next("plain_acquire", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        try (Lease lease =
                client(wire, builder -> {}).lock(name, Formats.plain()).acquire()) {
            assertThat(value(name)).startsWith(lease.owner());
            lease.ensureHeld();
        }
        assertThat(exists(name)).isFalse();
    }

    @Test
    void aNameThatBreaksTheRuleIsRefusedBeforeAnythingIsSent() {
        Leasehold leasehold = client();
        for (String name : List.of("", "a\0b", "\ud800", "x".repeat(513))) {
            assertThatThrownBy(() -> leasehold.lock(name, Formats.plain()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lock name");
        }
    }
}
