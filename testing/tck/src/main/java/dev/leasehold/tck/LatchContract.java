package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.recipes.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Latches: set once, counted down once a call, reached for all waiters, and deleted when their time is over. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "each server counts for itself")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class LatchContract extends WiredBase {

    /** Much longer than a test, even if other processes start in it on a busy machine. */
    private static final Duration EXPIRY = Duration.ofMinutes(10);

    private DistributedLatch set(String name, int count) {
        DistributedLatch latch = Latches.of(client()).latch(name);
        assertThat(latch.trySet(count, EXPIRY)).isTrue();
        return latch;
    }

    /** Starts a waiter that needs no thread. */
    private static CompletableFuture<Boolean> waiter(DistributedLatch latch) {
        return latch.awaitAsync().toCompletableFuture();
    }

    /** Waits until so many clients are registered for the wake-up. */
    private void untilEntered(String name, int clients) {
        soon().until(() -> field(name, "wn").equals(Integer.toString(clients)));
    }

    private static boolean reached(CompletableFuture<Boolean> waiter) {
        soon().until(waiter::isDone);
        return waiter.join();
    }

    @Test
    void onlyTheFirstCallSetsTheCount() {
        String name = name();
        DistributedLatch one = Latches.of(client()).latch(name);
        DistributedLatch two = Latches.of(client()).latch(name);
        assertThat(one.trySet(3, EXPIRY)).isTrue();
        assertThat(two.trySet(3, EXPIRY)).isFalse();
        assertThat(one.trySet(7, EXPIRY)).isFalse();
        assertThat(two.count()).isEqualTo(3);
        for (int left = 2; left >= 0; left--) {
            assertThat(one.countDown()).isEqualTo(left);
            assertThat(two.count()).isEqualTo(left);
        }
        assertThat(two.trySet(3, EXPIRY)).as("a latch that is reached stays so").isFalse();
        assertThat(two.count()).isZero();
    }

    @Test
    void theInspectorReportsTheRemainingCountAndSkipsOtherKeys() throws Exception {
        String name = name();
        assertThat(Latches.of(client()).find(name)).isEmpty();
        DistributedLatch latch = set(name, 2);
        LatchInfo info = Latches.of(client()).find(name).orElseThrow();
        assertThat(info.name()).isEqualTo(name);
        assertThat(info.count()).isEqualTo(2);
        assertThat(info.left()).isBetween(Duration.ofNanos(1), EXPIRY);
        latch.countDown();
        latch.countDown();
        LatchInfo reached = new LatchInfo(name, null, 0, null);
        assertThat(Latches.of(client()).find(name)).contains(reached);
        String locked = name + " lock";
        try (Lease lease = client().lock(locked).acquire()) {
            assertThat(Latches.of(client()).find(locked)).isEmpty();
            assertThat(Latches.of(client()).list())
                    .contains(reached)
                    .noneMatch(one -> one.name().equals(locked));
            assertThat(client().inspector().locks())
                    .extracting(LockInfo::name)
                    .contains(lease.name())
                    .doesNotContain(name);
        }
    }

    @Test
    void waitersPassWhenTheLastHasCountedDownAndLaterOnesImmediately() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 2);
        DistributedLatch other = Latches.of(client()).latch(name);
        CompletableFuture<Boolean> waiting = inThread(() -> {
            other.await();
            return true;
        });
        CompletableFuture<Boolean> async = waiter(Latches.of(client()).latch(name));
        untilEntered(name, 2);
        latch.countDown();
        assertThat(outOfDoubt(() -> latch.await(Duration.ofMillis(500)))).isFalse();
        assertThat(waiting).isNotDone();
        assertThat(async).isNotDone();
        latch.countDown();
        assertThat(reached(waiting)).isTrue();
        assertThat(reached(async)).isTrue();
        Latches.of(client()).latch(name).await();
        assertThat(Latches.of(client()).latch(name).await(Duration.ZERO)).isTrue();
    }

    @Test
    void aClientThatAwaitsALatchAgainAndAgainHasOnePosition() throws Exception {
        String name = name();
        DistributedLatch latch = Latches.of(client()).latch(name);
        latch.trySet(1, Duration.ofMinutes(5));
        // Later waits take a position: the first may come before the client receives wake-ups.
        int[] waits = {0};
        await().ignoreException(LockUnavailableException.class)
                .until(() ->
                        !latch.await(Duration.ofMillis(30)) && field(name, "wn").equals("1") && ++waits[0] == 10);
        assertThat(field(name, "wn")).isEqualTo("1");
    }

    @Test
    void eachWaitingClientIsWokenOnce() {
        String name = name();
        DistributedLatch latch = set(name, 1);
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        for (int client = 1; client <= 5; client++) {
            Leasehold leasehold = client();
            for (int i = 0; i < 10; i++) {
                waiters.add(waiter(Latches.of(leasehold).latch(name)));
            }
            untilEntered(name, client);
        }
        long published = published();
        latch.countDown();
        waiters.forEach(waiter -> assertThat(reached(waiter)).isTrue());
        assertThat(published() - published).isEqualTo(5);
        assertThat(latch.countDown()).isZero();
        assertThat(published() - published).isEqualTo(5);
    }

    /** Returns the number of messages; in a cluster on the channel of a shard, once the client has subscribed to it. */
    private long published() {
        return Stream.of("cmdstat_publish", "cmdstat_spublish")
                .map(command -> server().info("commandstats").getOrDefault(command, "calls=0,"))
                .mapToLong(count -> Long.parseLong(count.substring("calls=".length(), count.indexOf(','))))
                .sum();
    }

    @Test
    void aWaiterRarelySendsRequests() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 1);
        Leasehold client = client();
        List<CompletableFuture<Boolean>> waiters = new ArrayList<>();
        server().resetStats();
        for (int i = 0; i < 20; i++) {
            waiters.add(waiter(Latches.of(client).latch(name)));
        }
        untilEntered(name, 1);
        // Each has polled once at its start, and once more when the subscription was confirmed.
        await().until(() -> polls() >= 20);
        long before = polls();
        assertThat(outOfDoubt(() -> latch.await(Duration.ofSeconds(2)))).isFalse();
        assertThat(polls() - before).isLessThan(30);
        latch.countDown();
        waiters.forEach(waiter -> assertThat(reached(waiter)).isTrue());
    }

    private long polls() {
        return server().commandCounts().getOrDefault("evalsha", 0L);
    }

    @Test
    void aLostWakeUpStrandsNoWaiter() {
        String name = name();
        DistributedLatch latch = set(name, 1);
        CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
        untilEntered(name, 1);
        server().command("HSET", key(name), "w:1", "leasehold:w:nobody");
        latch.countDown();
        assertThat(reached(waiter)).isTrue();
    }

    @Test
    void killedSubscriptionsStrandNoWaiter() {
        for (int round = 0; round < 8; round++) {
            String name = name();
            DistributedLatch latch = set(name, 1);
            CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
            untilEntered(name, 1);
            server().command("CLIENT", "KILL", "TYPE", "pubsub");
            latch.countDown();
            assertThat(reached(waiter)).isTrue();
        }
    }

    @Test
    void aCountDownWhoseReplyIsLostCountsOnce() {
        String name = name();
        set(name, 5);
        Wiretap wire = wire();
        DistributedLatch latch = Latches.of(client(wire, builder -> {})).latch(name);
        wire.next("latch_count_down", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        assertThat(latch.countDown()).isEqualTo(4);
        assertThat(latch.count()).isEqualTo(4);
    }

    @Test
    void aLateCopyOfACountDownCountsOnce() {
        String name = name();
        set(name, 5);
        Wiretap wire = wire();
        DistributedLatch latch = Latches.of(client(wire, builder -> {})).latch(name);
        List<Runnable> copies = new ArrayList<>();
        wire.next("latch_count_down", (call, go) -> {
            copies.add(() -> assertThat(Wiretap.executed(go)).startsWith("counted"));
            return go.get();
        });
        latch.countDown();
        latch.countDown();
        copies.forEach(Runnable::run);
        assertThat(latch.count()).isEqualTo(3);
    }

    @Test
    void aCountDownThatArrivesAfterItsCallerLeftIsNotCounted() throws Exception {
        String name = name();
        set(name, 5);
        FaultProxy proxy = proxy();
        DistributedLatch latch = Latches.of(
                        client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(600))))
                .latch(name);
        Fault requests = proxy.matching(request -> request.contains(key(name))).holdRequests();
        assertThatThrownBy(latch::countDown)
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue())
                .hasMessageContaining(name);
        // The time limit of its count-down is computed from an earlier answer, and so may be a little later than
        // the moment at which it left.
        long left = serverMicros();
        await().until(() -> serverMicros() > left + 1_000_000);
        requests.cancel();
        server().resetStats();
        proxy.releaseRequests();
        await().until(() -> polls() > 0);
        assertThat(Latches.of(client()).latch(name).count()).isEqualTo(5);
    }

    @Test
    void settingWhoseReplyIsLostHasSet() {
        String name = name();
        Wiretap wire = wire();
        DistributedLatch latch = Latches.of(client(wire, builder -> {})).latch(name);
        wire.next("latch_set", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        assertThat(latch.trySet(5, EXPIRY)).isTrue();
    }

    @Test
    void aNamedCountDownCountsOnceFromWhateverProcess() {
        String name = name();
        DistributedLatch latch = set(name, 3);
        String part = "part " + "抽".repeat(100);
        assertThat(latch.countDown(part)).isEqualTo(2);
        assertThat(Latches.of(client()).latch(name).countDown(part)).isEqualTo(2);
        assertThat(Latches.of(client()).latch(name).countDown(part + "!")).isEqualTo(1);
        assertThat(latch.countDown("part 3")).isZero();
        assertThat(latch.countDown(part)).isZero();
    }

    @Test
    void aWorkerThatIsKilledAndStartedAgainCountsItsPartOnce() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 2);
        CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
        try (ChildJvm worker = CountingProcess.start(address(), name)) {
            assertThat(worker.ask("part-1")).isEqualTo("part-1 1");
            worker.kill();
        }
        assertThat(waiter).isNotDone();
        try (ChildJvm again = CountingProcess.start(address(), name)) {
            assertThat(again.ask("part-1")).isEqualTo("part-1 1");
            assertThat(latch.count()).isEqualTo(1);
            assertThat(again.ask("part-2")).isEqualTo("part-2 0");
        }
        assertThat(reached(waiter)).isTrue();
    }

    @Test
    void aDeadWaiterDoesNotAffectOthers() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 1);
        try (ChildJvm waits = CountingProcess.start(address(), name)) {
            assertThat(waits.ask("wait")).startsWith("wait");
            untilEntered(name, 1);
            CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
            untilEntered(name, 2);
            waits.kill();
            latch.countDown();
            assertThat(reached(waiter)).isTrue();
        }
    }

    @Test
    void anUnsetLatchIsNeitherReachedNorTimedOut() {
        DistributedLatch latch = Latches.of(client()).latch(name());
        for (Runnable use : List.<Runnable>of(
                latch::countDown,
                latch::count,
                () -> latch.countDown("a"),
                () -> awaits(latch, Duration.ofSeconds(5)))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(LatchNotSetException.class)
                    .hasMessageContaining(latch.name())
                    .hasMessageContaining("trySet");
        }
        assertThatThrownBy(() -> latch.awaitAsync().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(LatchNotSetException.class);
        assertThat(server().command("EXISTS", key(latch.name()))).isEqualTo(0L);
    }

    private static void awaits(DistributedLatch latch, Duration wait) {
        try {
            latch.await(wait);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLatchExpiresAndItsWaitersLearnOfIt() {
        String name = name();
        DistributedLatch latch = Latches.of(client()).latch(name);
        DistributedLatch other = Latches.of(client()).latch(name);
        assertThat(latch.trySet(2, Duration.ofSeconds(2))).isTrue();
        latch.countDown();
        CompletableFuture<Boolean> waiter = waiter(other);
        untilEntered(name, 1);
        assertThatThrownBy(() -> waiter.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(LatchNotSetException.class)
                .hasMessageContaining("before its count");
        await().until(() -> Long.valueOf(0).equals(server().command("EXISTS", key(name))));
        assertThat(latch.trySet(1, EXPIRY)).as("its name is free again").isTrue();
        assertThat(latch.count()).isEqualTo(1);
    }

    @Test
    void itsKeyExpiresWithItWhateverIsDoneToIt() {
        String name = name();
        DistributedLatch latch = set(name, 3);
        long expires = expiry(name);
        long set = serverMicros();
        assertThat(expires).isBetween(set / 1000, set / 1000 + EXPIRY.toMillis() + 2);
        // Long enough to notice a restarted expiry, also by a reading that a busy machine interrupts.
        soon().until(() -> serverMicros() > set + 1_000_000);
        CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
        untilEntered(name, 1);
        latch.countDown();
        latch.countDown("a");
        latch.countDown();
        assertThat(reached(waiter)).isTrue();
        assertThat(expiry(name)).isBetween(expires - 500, expires + 500);
    }

    /**
     * Returns the expiry of the key, in ms of server time and by PTTL, for Redis 6.2 has no PEXPIRETIME: exact to
     * one or two, unless the machine stands still between the two.
     */
    private long expiry(String name) {
        return (Long) Objects.requireNonNull(server().command(
                        "EVAL",
                        "local t = redis.call('TIME') return t[1] * 1000 + math.floor(t[2] / 1000) + redis.call('PTTL', KEYS[1])",
                        "1",
                        key(name)));
    }

    @Test
    void latchesAndLocksRefuseEachOthersKeys() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 1);
        Object before = server().command("DUMP", key(name));
        assertThatThrownBy(() -> client().lock(name).tryAcquire())
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("latch");
        assertThatThrownBy(() -> client().fairLock(name).forceRelease()).isInstanceOf(ForeignKeyException.class);
        assertThatThrownBy(() -> client().lock(name).inspect()).isInstanceOf(ForeignKeyException.class);
        assertThat(server().command("DUMP", key(name))).isEqualTo(before);
        latch.countDown();
        String other = name();
        try (Lease lease = client().lock(other).acquire()) {
            Object held = server().command("HGETALL", key(other));
            DistributedLatch foreign = Latches.of(client()).latch(other);
            for (Runnable use : List.<Runnable>of(
                    () -> foreign.trySet(1, EXPIRY),
                    foreign::countDown,
                    foreign::count,
                    () -> awaits(foreign, Duration.ofSeconds(5)))) {
                assertThatThrownBy(use::run)
                        .isInstanceOf(ForeignKeyException.class)
                        .hasMessageContaining("lock");
            }
            assertThat(server().command("HGETALL", key(other))).isEqualTo(held);
            lease.ensureHeld();
        }
    }

    @Test
    void whatElseLiesUnderTheKeyIsLeftAsItIs() {
        DistributedLatch latch = Latches.of(client()).latch(name());
        server().command("SET", key(latch.name()), "theirs");
        assertThatThrownBy(() -> latch.trySet(1, EXPIRY))
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("string");
        assertThatThrownBy(latch::countDown).isInstanceOf(ForeignKeyException.class);
        assertThat(server().command("GET", key(latch.name()))).isEqualTo("theirs");
    }

    @Test
    void reachedTimedOutAndUnavailableStayApart() throws Exception {
        String name = name();
        set(name, 1);
        FaultProxy proxy = proxy();
        DistributedLatch latch = Latches.of(client(
                        proxy.uri(),
                        builder ->
                                builder.commandTimeout(Duration.ofMillis(500)).outageTolerance(Duration.ofSeconds(1))))
                .latch(name);
        assertThat(outOfDoubt(() -> latch.await(Duration.ofSeconds(1)))).isFalse();
        proxy.swallow();
        assertThatThrownBy(() -> latch.await(Duration.ofMillis(900)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(name);
        assertThatThrownBy(latch::await).isInstanceOf(LockUnavailableException.class);
        proxy.heal();
        Latches.of(client()).latch(name).countDown();
        assertThat(latch.await(Duration.ofSeconds(15))).isTrue();
    }

    @Test
    void aWaiterOverABriefOutageLearnsOfTheEnd() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 1);
        FaultProxy proxy = proxy();
        CompletableFuture<Boolean> waiter =
                waiter(Latches.of(client(proxy.uri(), builder -> {})).latch(name));
        untilEntered(name, 1);
        proxy.refuse();
        proxy.reset();
        latch.countDown();
        proxy.heal();
        assertThat(reached(waiter)).isTrue();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        DistributedLatch latch = set(name(), 1);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = inThread(() -> {
            thread.complete(Thread.currentThread());
            latch.await();
            return true;
        });
        untilEntered(latch.name(), 1);
        thread.join().interrupt();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(InterruptedException.class)
                .hasMessageContaining(latch.name());
        latch.countDown();
        latch.await();
    }

    @Test
    void closingTheClientEndsItsWaits() {
        String name = name();
        set(name, 1);
        Leasehold leasehold = client();
        DistributedLatch latch = Latches.of(leasehold).latch(name);
        CompletableFuture<Boolean> blocking = inThread(() -> latch.await(Duration.ofMinutes(1)));
        CompletableFuture<Boolean> async = waiter(latch);
        untilEntered(name, 1);
        leasehold.close();
        for (CompletableFuture<Boolean> waiter : List.of(blocking, async)) {
            assertThatThrownBy(() -> waiter.get(1, TimeUnit.MINUTES))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThatThrownBy(latch::countDown).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(latch::await).isInstanceOf(IllegalStateException.class);
        assertThat(latch.countAsync().toCompletableFuture()).isCompletedExceptionally();
        assertThatThrownBy(() -> Latches.of(leasehold).latch(name)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void countingDownWorksWhenRedisIsOutOfMemory() throws Exception {
        String name = name();
        DistributedLatch latch = set(name, 1);
        CompletableFuture<Boolean> waiter = waiter(Latches.of(client()).latch(name));
        untilEntered(name, 1);
        server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> Latches.of(client()).latch(name()).trySet(1, EXPIRY))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("memory");
            assertThat(Latches.of(client()).latch(name).await(Duration.ZERO)).isFalse();
            assertThat(latch.countDown()).isZero();
        } finally {
            server().command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(reached(waiter)).isTrue();
    }

    @Test
    void manyProcessesCountAndEachIsCountedOnce() {
        String name = name();
        DistributedLatch latch = set(name, 400);
        List<CompletableFuture<Integer>> counts = new ArrayList<>();
        for (int client = 0; client < 4; client++) {
            // A busy machine may need longer than usual for so many at once.
            DistributedLatch own = Latches.of(client(server().uri(), builder -> builder.commandTimeout(LIMIT)))
                    .latch(name);
            for (int i = 0; i < 100; i++) {
                counts.add(own.countDownAsync().toCompletableFuture());
            }
        }
        assertThat(latch.awaitAsync(LIMIT).toCompletableFuture().join()).isTrue();
        assertThat(counts.stream().map(CompletableFuture::join).sorted().toList())
                .doesNotHaveDuplicates()
                .hasSize(400)
                .startsWith(0)
                .endsWith(399);
    }

    private DistributedLatch round(String name, long number) {
        return Latches.of(client()).latch(name).round(number);
    }

    @Test
    void processesGoFromRoundToRoundAndOneThatIsLateMissesNone() throws Exception {
        String name = name();
        int workers = 3;
        int rounds = 5;
        List<CompletableFuture<Boolean>> work = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            DistributedLatch latch = Latches.of(client()).latch(name);
            String part = "worker " + worker;
            work.add(inThread(() -> {
                for (long number = 1; number <= rounds; number++) {
                    DistributedLatch round = latch.round(number);
                    round.trySet(workers, EXPIRY);
                    round.countDown(part);
                    round.await();
                }
                return true;
            }));
        }
        work.forEach(one -> assertThat(reached(one)).isTrue());
        for (long number = 1; number <= rounds; number++) {
            DistributedLatch late = round(name, number);
            late.await();
            assertThat(late.count()).isZero();
            assertThat(late.countDown("late")).isZero();
            assertThat(late.trySet(workers, EXPIRY)).isFalse();
        }
        assertThat(Latches.of(client()).find(name)).contains(new LatchInfo(name, 5L, 0, null));
    }

    @Test
    void aRoundIsSetOnlyOnceTheOneBeforeIsReached() throws Exception {
        String name = name();
        assertThat(round(name, 1).trySet(1, EXPIRY)).isTrue();
        DistributedLatch second = round(name, 2);
        assertThat(second.trySet(1, EXPIRY)).isFalse();
        assertThatThrownBy(second::count)
                .isInstanceOf(LatchNotSetException.class)
                .hasMessageContaining("round 2");
        assertThatThrownBy(second::countDown).isInstanceOf(LatchNotSetException.class);
        assertThatThrownBy(() -> second.await(Duration.ofSeconds(5))).isInstanceOf(LatchNotSetException.class);
        assertThat(round(name, 1).countDown()).isZero();
        assertThat(second.trySet(4, EXPIRY)).isTrue();
        assertThat(second.count()).isEqualTo(4);
        assertThat(Latches.of(client()).find(name).orElseThrow().round()).isEqualTo(2L);
    }

    @Test
    void aWaiterOfARoundPassesThoughTheNextHasBegun() {
        String name = name();
        DistributedLatch first = round(name, 1);
        first.trySet(1, EXPIRY);
        CompletableFuture<Boolean> waiter = waiter(round(name, 1));
        untilEntered(name, 1);
        // Its wake-up goes elsewhere, so that it looks when the next round is there.
        server().command("HSET", key(name), "w:1", "leasehold:w:nobody");
        first.countDown();
        assertThat(round(name, 2).trySet(1, EXPIRY)).isTrue();
        CompletableFuture<Boolean> next = waiter(round(name, 2));
        assertThat(reached(waiter)).isTrue();
        assertThat(next).isNotDone();
        round(name, 2).countDown();
        assertThat(reached(next)).isTrue();
    }

    @Test
    void aNameIsUsedWithRoundsOrWithout() throws Exception {
        String with = name();
        round(with, 1).trySet(1, EXPIRY);
        DistributedLatch whole = Latches.of(client()).latch(with);
        for (Runnable use : List.<Runnable>of(
                () -> whole.trySet(1, EXPIRY), whole::countDown, whole::count, () -> awaits(whole, EXPIRY))) {
            assertThatThrownBy(use::run).isInstanceOf(ForeignKeyException.class).hasMessageContaining("with rounds");
        }
        String without = name();
        set(without, 1);
        DistributedLatch round = round(without, 1);
        for (Runnable use : List.<Runnable>of(
                () -> round.trySet(1, EXPIRY), round::countDown, round::count, () -> awaits(round, EXPIRY))) {
            assertThatThrownBy(use::run).isInstanceOf(ForeignKeyException.class).hasMessageContaining("without rounds");
        }
        assertThatThrownBy(() -> client().lock(with).tryAcquire()).isInstanceOf(ForeignKeyException.class);
    }
}
