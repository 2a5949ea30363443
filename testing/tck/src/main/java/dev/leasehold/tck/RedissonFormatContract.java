package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.interop.Formats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Locks that are shared with Redisson, whose commands are sent as its scripts send them: a hash with one field, and a channel. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "the hash cannot hold the fields that a majority needs")
class RedissonFormatContract extends WiredBase {

    private static final String CLIENT = "0f0c8a2e-7f3b-4f3c-9b43-1f4a54f2a111";
    private static final String THEIRS = CLIENT + ":17";
    private static final long HOUR = 3_600_000;

    /** By itself a waiter polls every 4 s at most, and so not as often as this within the limit. */
    private static final int MANY = 30;

    /** Returns servers of its own where a user has only the documented rights: those of other locks leave its keys out. */
    @Override
    Site site() {
        return topology() == Topology.TLS_AND_ACL
                ? new TlsSite(Site.settings(), DocumentedRights.ofAnyKey("app", "wake-ups", "list", "redisson"))
                : super.site();
    }

    private DistributedLock lock(String name) {
        return client().lock(name, Formats.redisson());
    }

    private static String channel(String name) {
        return "redisson_lock__channel:{" + name + "}";
    }

    private void takenByRedisson(String name, long millis) {
        takenByRedisson(name, THEIRS, millis);
    }

    private void takenByRedisson(String name, String holder, long millis) {
        assertThat(server(name).command("HSET", name, holder, "1")).isEqualTo(1L);
        server(name).command("PEXPIRE", name, Long.toString(millis));
    }

    /** Returns whether so many clients hear of releases of a lock, each by all commands with which clients of Redisson publish them. */
    private boolean areHeard(String name, long clients) {
        String channel = channel(name);
        return subscribers(channel) == clients
                && (commands().size() == 1 || subscribersOfShard(channel, List.of(server(channel))) == clients);
    }

    /** Publishes as a client of Redisson does at a release, by one of {@link #commands}. */
    private void publish(String command, String name) {
        server(channel(name)).command(command, channel(name), "0");
    }

    /** Returns by which commands clients of Redisson publish: in a cluster it depends on their version and their settings. */
    private List<String> commands() {
        return topology() == Topology.CLUSTER && knowsShards() ? List.of("SPUBLISH", "PUBLISH") : List.of("PUBLISH");
    }

    private boolean knowsShards() {
        return list(server().command("COMMAND", "INFO", "SPUBLISH")).get(0) != null;
    }

    @Test
    void theKeyIsAHashWithOneFieldThatRedissonTakesForAnother() throws Exception {
        for (String name : List.of(name(), name() + ":{a}{b} \n\"'%41", name() + ":抽奖")) {
            try (Lease lease = lock(name).with(unrenewed(20_000)).acquire()) {
                assertThat(lease.name()).isEqualTo(name);
                List<?> fields = list(server(name).command("HGETALL", name));
                assertThat(fields).hasSize(2).last().isEqualTo("1");
                assertThat(fields.get(0).toString()).startsWith(lease.owner()).contains(" ");
                assertThat(left(name)).isBetween(10_000L, 20_001L);
                assertThatThrownBy(lease::fencingToken)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("Redisson lock");
            }
            assertThat(exists(name)).isFalse();
        }
    }

    @Test
    void aHolderOfRedissonExcludesUntilItReleases() throws Exception {
        String name = name();
        takenByRedisson(name, HOUR);
        assertThat(lock(name).tryAcquire()).isEmpty();
        LockInfo info = lock(name).inspect().orElseThrow();
        assertThat(info.owner()).isNotEmpty();
        assertThat(THEIRS).startsWith(info.owner());
        assertThat(info.left()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
        server(name).command("DEL", name);
        lock(name).acquire(LIMIT).close();
    }

    @Test
    void anyLongIsTheIdOfAThread() throws Exception {
        DistributedLock lock = lock(name());
        for (long thread : new long[] {-42, 0, Long.MIN_VALUE, Long.MAX_VALUE}) {
            String holder = CLIENT + ":" + thread;
            takenByRedisson(lock.name(), holder, HOUR);
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(holder).startsWith(lock.inspect().orElseThrow().owner());
            assertThat(client().inspector().locks(lock.name(), Formats.redisson()))
                    .hasSize(1);
            assertThatThrownBy(() -> client().lock(lock.name(), Formats.plain()).tryAcquire())
                    .isInstanceOf(ForeignKeyException.class)
                    .hasMessageContaining("a Redisson lock held by " + holder);
            assertThat(lock.forceRelease()).isTrue();
            lock.acquire(LIMIT).close();
        }
        takenByRedisson(lock.name(), CLIENT + ":-", HOUR);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(ForeignKeyException.class);
    }

    @Test
    void listsTheLocksOfBothLibrariesAndNothingElse() throws InterruptedException {
        String name = name();
        takenByRedisson(name + "-theirs", HOUR);
        server(name + "-hash").command("HSET", name + "-hash", "some", "thing");
        Lease lease = lock(name + "-ours").acquire();
        Lease own = client().lock(name + "-own").acquire();
        assertThat(client().inspector().locks(name + "*", Formats.redisson()))
                .extracting(LockInfo::name)
                .containsExactly(name + "-ours", name + "-theirs");
        assertThat(client().inspector().locks(name + "*", LockFormat.leasehold()))
                .extracting(LockInfo::name)
                .containsExactly(name + "-own");
        assertThat(client().inspector().locks(name + "-o*n", LockFormat.leasehold()))
                .hasSize(1);
        assertThat(client().inspector().locks(name + "-t", Formats.redisson())).isEmpty();
        lease.release();
        own.release();
    }

    @Test
    void aWaiterListensToTheChannelOfRedissonWhileItWaitsAndNoLonger() throws Exception {
        String name = name();
        takenByRedisson(name, HOUR);
        DistributedLock lock = lock(name);
        CompletableFuture<Lease> waiting = waiter(lock);
        CompletableFuture<Lease> behind = waiter(lock);
        await().until(() -> areHeard(name, 1));
        assertThat(waiting.isDone() || behind.isDone()).isFalse();
        server(name).command("DEL", name);
        publish("PUBLISH", name);
        soon().until(() -> waiting.isDone() || behind.isDone());
        Lease first = (Lease) CompletableFuture.anyOf(waiting, behind).join();
        assertThat(waiting.isDone() && behind.isDone()).isFalse();
        // Its own release wakes the other.
        first.release();
        granted(waiting.isDone() && waiting.join() == first ? behind : waiting).release();
        await().until(() -> areHeard(name, 0));
    }

    /** A waiter for a lock that is held for an hour, and how often it has polled. */
    private record Polling(CompletableFuture<Lease> waiter, AtomicInteger polls) {}

    private Polling polling(String name, LockFormat format) {
        AtomicInteger polls = new AtomicInteger();
        Wiretap wire = wire();
        wire.all((call, go) -> {
            polls.addAndGet(call.script().name().equals("redisson_acquire") ? 1 : 0);
            return go.get();
        });
        takenByRedisson(name, HOUR);
        CompletableFuture<Lease> waiter = waiter(client(wire, builder -> {}).lock(name, format));
        await().until(() -> areHeard(name, 1));
        return new Polling(waiter, polls);
    }

    @Test
    void eachMessageWakesAWaiterByWhateverCommandItIsPublished() {
        for (String command : commands()) {
            String name = name();
            Polling waiting = polling(name, Formats.redisson());
            AtomicInteger sent = new AtomicInteger();
            AtomicInteger answered = new AtomicInteger();
            soon().until(() -> {
                if (waiting.polls().get() > answered.get()) {
                    answered.set(waiting.polls().get());
                    publish(command, name);
                    sent.incrementAndGet();
                }
                return sent.get() == MANY;
            });
            server(name).command("DEL", name);
            publish(command, name);
            granted(waiting.waiter()).release();
        }
    }

    @Test
    void whereRedissonTellsNobodyAWaiterPollsAndStillHearsThisLibrary() throws Exception {
        String name = name();
        Polling waiting = polling(name, Formats.redissonPolled());
        await().until(() -> waiting.polls().get() > MANY);
        server(name).command("DEL", name);
        granted(waiting.waiter()).release();
        // It is the same lock, whichever of both formats a caller uses.
        try (Lease lease = lock(name).acquire()) {
            assertThat(client().lock(name, Formats.redissonPolled()).tryAcquire())
                    .isEmpty();
            lease.ensureHeld();
        }
    }

    /** Lets a caller of a fair lock of Redisson wait until this time from now. */
    private void queued(String name, String waiter, long millis) {
        String until = Long.toString(serverMicros() / 1000 + millis);
        server(name).command("RPUSH", "redisson_lock_queue:{" + name + "}", waiter);
        server(name).command("ZADD", "redisson_lock_timeout:{" + name + "}", until, waiter);
    }

    @Test
    void aReleaseWakesTheFirstFairWaiterOfRedissonThatStillWaits() throws Exception {
        List<Consumer<Lease>> ends = List.of(
                Lease::release,
                lease -> assertThat(lock(lease.name()).forceRelease()).isTrue());
        for (Consumer<Lease> end : ends) {
            String name = name();
            Lease lease = lock(name).acquire();
            queued(name, "gone", -HOUR);
            queued(name, "first", HOUR);
            queued(name, "second", HOUR);
            Queue<String> woken = new ConcurrentLinkedQueue<>();
            Wiretap theirs = closing(wire());
            for (String waiter : List.of("gone", "first", "second")) {
                TransportCalls.answer(
                        theirs.subscribe(channel(name) + ":" + waiter, message -> woken.add(waiter + " " + message)));
            }
            end.accept(lease);
            await().until(() -> woken.contains("first 0"));
            // Whatever was published for the second came before this.
            server(channel(name)).command(commands().get(0), channel(name) + ":second", "over");
            await().until(() -> woken.contains("second over"));
            assertThat(woken).containsExactlyInAnyOrder("gone 0", "first 0", "second over");
        }
    }

    @Test
    void whileCallersOfRedissonQueueForAFairLockAWaiterPolls() {
        String name = name();
        queued(name, "first", HOUR);
        Polling waiting = polling(name, Formats.redisson());
        await().until(() -> waiting.polls().get() > MANY);
        server(name).command("DEL", name);
        granted(waiting.waiter()).release();
    }

    @Test
    void whatIsNoQueueOfAFairLockHindersNothing() throws Exception {
        String name = name();
        server(name).command("SET", "redisson_lock_queue:{" + name + "}", "no list");
        server(name).command("SET", "redisson_lock_timeout:{" + name + "}", "no sorted set");
        Lease lease = lock(name).acquire();
        assertThat(lock(name).tryAcquire()).isEmpty();
        lease.release();
        assertThat(exists(name)).isFalse();
    }

    @Test
    void aReleaseIsPublishedForWaitersOfRedisson() throws Exception {
        String name = name();
        try (Lease lease = lock(name).acquire()) {
            lease.ensureHeld();
            // A waiter of this library hears the same message as theirs.
            CompletableFuture<Lease> waiting = waiter(lock(name));
            await().until(() -> areHeard(name, 1));
            server().resetStats();
            lease.release();
            Lease next = granted(waiting);
            assertThat(server().commandCounts().keySet())
                    .containsAll(commands().stream()
                            .map(command -> command.toLowerCase(Locale.ROOT))
                            .toList());
            next.release();
        }
    }

    @Test
    void anUnlockByForceIsALoss() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> lost = new CompletableFuture<>();
        Lease lease = lock(name).with(renewedSoon()).acquire();
        lease.onLost(lost::complete);
        server(name).command("DEL", name);
        publish("PUBLISH", name);
        await().until(lost::isDone);
        assertThat(lost.join().cause()).isEqualTo(LossCause.DELETED);
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void neitherRenewalNorReleaseTouchesTheHoldOfRedisson() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> lost = new CompletableFuture<>();
        Lease lease = lock(name).with(renewedSoon()).acquire();
        lease.onLost(lost::complete);
        server(name).command("DEL", name);
        takenByRedisson(name, HOUR);
        await().until(lost::isDone);
        assertThat(lost.join().cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(server(name).command("HGET", name, THEIRS)).isEqualTo("1");
        assertThat(left(name)).isGreaterThan(HOUR / 2);
        assertThat(lock(name).forceRelease()).isTrue();
        assertThat(exists(name)).isFalse();
    }

    @Test
    void aForcedReleaseThatNamesATokenTakesTheLockFromItsHolderOnly() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name, Formats.redissonFenced());
        lock.acquire().close();
        Lease lease = lock.acquire();
        assertThat(lock.forceRelease(lease.fencingToken() - 1)).isFalse();
        lease.ensureHeld();
        assertThat(exists(name)).isTrue();
        assertThat(lock.forceRelease(lease.fencingToken())).isTrue();
        assertThat(exists(name)).isFalse();
        assertThatThrownBy(() -> lock(name).forceRelease(lease.fencingToken()))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void manyAreRenewedTogether() throws Exception {
        Leasehold leasehold = client();
        String prefix = name();
        LockOptions options =
                lease(6000).toBuilder().renewal(Renewal.afterRatio(0.15)).build();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LockFormat format = i % 2 == 0 ? Formats.redisson() : Formats.redissonFenced();
            leases.add(leasehold.lock(prefix + ":" + i, format).with(options).acquire());
        }
        untilProlonged(leases.stream().map(Lease::name).toList(), 1200);
        assertThat(leases).allSatisfy(Lease::ensureHeld);
        for (Lease lease : leases) {
            lease.release();
        }
    }

    @Test
    void tokensOfAFencedLockRiseOverBothLibraries() throws Exception {
        String name = name();
        String token = "redisson_lock_token:{" + name + "}";
        DistributedLock lock = client().lock(name, Formats.redissonFenced());
        server(token).command("SET", token, "41");
        long before = serverMicros();
        long first;
        try (Lease lease = lock.acquire()) {
            first = lease.fencingToken();
            assertThat(first).isGreaterThanOrEqualTo(before);
            assertThat(lock.inspect().orElseThrow().fencingToken()).isEqualTo(first);
        }
        long theirs = Long.parseLong(String.valueOf(server(token).command("INCR", token)));
        assertThat(theirs).isEqualTo(first + 1);
        server(token).command("SET", token, Long.toString(serverMicros() + HOUR * 1000));
        try (Lease lease = lock.acquire()) {
            assertThat(lease.fencingToken()).isGreaterThan(serverMicros() + HOUR * 500);
            assertThat(server(token).command("GET", token)).isEqualTo(Long.toString(lease.fencingToken()));
        }
        // A number of Lua is exact up to 2^53 only.
        server(token).command("SET", token, "9007199254740994");
        try (Lease lease = lock.acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(9007199254740995L);
            assertThat(lock.inspect().orElseThrow().fencingToken()).isEqualTo(9007199254740995L);
        }
    }

    @Test
    void aTokenThatIsNoNumberIsNamedAndHidesNothingElse() throws Exception {
        String name = name();
        String token = "redisson_lock_token:{" + name + "}";
        DistributedLock lock = client().lock(name, Formats.redissonFenced());
        try (Lease lease = lock.acquire()) {
            assertThat(lock.inspect().orElseThrow().problem()).isNull();
            for (String bad : List.of("9223372036854775808", "-7", "many")) {
                server(token).command("SET", token, bad);
                LockInfo info = lock.inspect().orElseThrow();
                assertThat(info.problem()).as(bad).isEqualTo("cannot be read: the fencing token");
                assertThat(info.fencingToken()).isZero();
                assertThat(info.pid()).isEqualTo(ProcessHandle.current().pid());
            }
            server(token).command("SET", token, "9223372036854775807");
            assertThat(lock.inspect().orElseThrow().fencingToken()).isEqualTo(Long.MAX_VALUE);
            lease.ensureHeld();
        }
    }

    @Test
    void aRetryOfAGrantedAcquireIsAnsweredWithItsHoldAndItsToken() throws Exception {
        String name = name();
        Wiretap wire = wire();
        wire.next("redisson_acquire", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        try (Lease lease =
                client(wire, builder -> {}).lock(name, Formats.redissonFenced()).acquire()) {
            assertThat(server("redisson_lock_token:{" + name + "}")
                            .command("GET", "redisson_lock_token:{" + name + "}"))
                    .isEqualTo(Long.toString(lease.fencingToken()));
            assertThat(server(name).command("HLEN", name)).isEqualTo(1L);
        }
        assertThat(exists(name)).isFalse();
    }

    @Test
    void whatIsNoLockOfRedissonIsRefusedAndNamed() {
        String name = name();
        // A busy machine takes its time for fields of two million characters.
        DistributedLock lock = client(server().uri(), builder -> builder.commandTimeout(Duration.ofSeconds(20)))
                .lock(name, Formats.redisson());
        server(name).command("HSET", name, "mode", "read", THEIRS, "1");
        refused(lock, "a Redisson read-write lock");
        server(name).command("DEL", name);
        server(name).command("HSET", name, "some", "thing");
        refused(lock, "hash");
        server(name).command("DEL", name);
        server(name).command("HSET", name, CLIENT + ":" + "1".repeat(2_000_000), "1");
        refused(lock, "hash");
        server(name).command("DEL", name);
        server(name).command("HSET", name, "id 1 " + "x".repeat(2_000_000), "1");
        refused(lock, "hash");
        server(name).command("SET", name, "theirs");
        refused(lock, "string");
        assertThat(server(name).command("GET", name)).isEqualTo("theirs");
    }

    private static void refused(DistributedLock lock, String found) {
        for (Runnable use : List.<Runnable>of(lock::tryAcquire, lock::inspect, lock::forceRelease)) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(ForeignKeyException.class)
                    .hasMessageContaining(lock.name())
                    .hasMessageContaining(found)
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(1000));
        }
    }

    @Test
    void aPlainLockOnALockOfRedissonNamesItsHolderAndTheRemedy() {
        String name = name();
        takenByRedisson(name, HOUR);
        assertThatThrownBy(() -> client().lock(name, Formats.plain()).tryAcquire())
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("a Redisson lock held by " + THEIRS)
                .hasMessageContaining("Formats.redisson()");
    }

    @Test
    void whatTheHashHasNoRoomForIsRefused() throws Exception {
        DistributedLock lock = lock(name());
        assertThatThrownBy(() -> lock.ownedBy("order-17"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Redisson lock");
        assertThatThrownBy(lock::requestRelease)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Redisson lock");
        assertThatThrownBy(() -> lock.with(lease(1000).toBuilder()
                        .retainFor(Duration.ofMillis(100))
                        .build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Redisson lock");
        try (Lease lease = lock.acquire()) {
            assertThatThrownBy(lease::export).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // released in turn with a waiter
    void threadsOfOneClientReenterAndAreServedOneAfterAnother() throws Exception {
        DistributedLock lock = lock(name());
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        CompletableFuture<Lease> waiting = waiter(lock);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        granted(waiting).release();
    }
}
