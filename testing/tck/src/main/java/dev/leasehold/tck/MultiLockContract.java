package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LossEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several locks acquired together: all or none, without deadlock, within one time limit, under one lease. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "clients that each hold a part of the servers would block each other")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class MultiLockContract extends WiredBase {

    /** Returns so many names; on a cluster they are in different slots. */
    private List<String> names(int count) {
        String prefix = name();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + ":" + i);
        }
        return names;
    }

    private static CompletableFuture<MultiLease> waiter(MultiLock locks) {
        return locks.acquireAsync().toCompletableFuture();
    }

    private static MultiLease of(CompletableFuture<MultiLease> waiter) {
        soon().until(waiter::isDone);
        return waiter.join();
    }

    private void noneIsHeldOrAwaited(List<String> names) {
        for (String name : names) {
            isGivenBack(name);
            await().untilAsserted(() -> assertThat(field(name, "wn")).isEqualTo("null"));
        }
    }

    private static LockOptions woken(long leaseMillis) {
        return lease(leaseMillis).toBuilder().waitStrategy(WaitStrategy.woken()).build();
    }

    @Test
    void aHolderOfOneExcludesARequestForAllAndTheOtherWayRound() throws Exception {
        List<String> names = names(3);
        Leasehold own = client();
        Leasehold theirs = client();
        for (String name : names) {
            try (Lease one = theirs.lock(name).acquire()) {
                assertThat(own.allOf(names).tryAcquire()).isEmpty();
                assertThat(outOfDoubt(() -> own.allOf(names).tryAcquire(Duration.ofMillis(500))))
                        .isEmpty();
                assertThatThrownBy(() -> outOfDoubt(() -> own.allOf(names).acquire(Duration.ofMillis(500))))
                        .isInstanceOf(LockNotAcquiredException.class)
                        .hasMessageContaining(name)
                        .extracting(e -> ((LockNotAcquiredException) e).lockName())
                        .isEqualTo(name);
                one.ensureHeld();
            }
            noneIsHeldOrAwaited(names);
        }
        try (MultiLease all = own.allOf(names).acquire()) {
            for (String name : names) {
                assertThat(theirs.lock(name).tryAcquire()).isEmpty();
                assertThat(theirs.fairLock(name).tryAcquire()).isEmpty();
                assertThat(theirs.allOf(name).tryAcquire()).isEmpty();
                assertThat(own.lock(name).tryAcquire()).isEmpty();
            }
            all.ensureHeld();
        }
        noneIsHeldOrAwaited(names);
    }

    @Test
    void eachLockHasTheSameStateAsIfItHadBeenAcquiredAlone() throws Exception {
        List<String> names = names(2);
        LockOptions options = unrenewed(20_000).toBuilder().label("both").build();
        Leasehold leasehold = client();
        Map<String, List<Object>> alone = new HashMap<>();
        for (String name : names) {
            try (Lease lease = leasehold.lock(name).with(options).acquire()) {
                alone.put(name, shape(name));
            }
        }
        deleteAll();
        try (MultiLease lease = leasehold.allOf(names).with(options).acquire()) {
            for (String name : names) {
                assertThat(shape(name)).isEqualTo(alone.get(name));
                assertThat(field(name, "last")).isEqualTo(Long.toString(lease.fencingToken(name)));
                // The lease and the token memory, rounded so that none is too short, and some ms for the clock of the
                // machine, which
                // may be set back.
                assertThat(left(key(name))).isBetween(60_000L, 80_010L);
                assertThat(client().lock(name).inspect().orElseThrow().label()).isEqualTo("both");
            }
            assertThat(lease.owner())
                    .isEqualTo(
                            client().lock(names.get(0)).inspect().orElseThrow().owner());
        }
    }

    /**
     * Returns the fields without what is specific to an acquisition: ids, times and tokens, and the expiry that only the script for a
     * free lock sets ahead.
     */
    private List<Object> shape(String name) {
        List<Object> shape = new ArrayList<>();
        List<?> parts = list(server(key(name)).command("HGETALL", key(name)));
        for (int i = 0; i < parts.size(); i += 2) {
            if (!parts.get(i).equals("ex")) {
                String field = parts.get(i) + "=" + parts.get(i + 1);
                shape.add(field.replaceAll("[0-9]{16}", "#").replaceAll("[A-Za-z0-9_-]{22}", "id"));
            }
        }
        return shape;
    }

    @Test
    void aWaiterForOneIsServedWhenItIsFree() throws Exception {
        List<String> names = names(3);
        Leasehold own = client();
        Leasehold theirs = client();
        for (String name : names) {
            Lease one = theirs.lock(name).acquire();
            CompletableFuture<MultiLease> waiter = waiter(own.allOf(names));
            untilWaiting(name, 1);
            assertThat(waiter).isNotDone();
            one.release();
            of(waiter).release();
        }
        noneIsHeldOrAwaited(names);
    }

    @Test
    void aWaiterForAllIsInTheQueueOfEach() throws Exception {
        List<String> names = names(2);
        Leasehold own = client();
        MultiLease all = client().allOf(names).acquire();
        List<CompletableFuture<Lease>> singles = new ArrayList<>();
        names.forEach(name -> singles.add(waiter(own.lock(name))));
        CompletableFuture<MultiLease> both = waiter(own.allOf(names));
        names.forEach(name -> untilWaiting(name, 1));
        all.release();
        // Handed off within the process or not: each is served.
        singles.forEach(single -> granted(single).release());
        of(both).release();
        noneIsHeldOrAwaited(names);
    }

    @Test
    void oneLimitOfTimeIsOverAllOfThem() throws Exception {
        List<String> names = names(2);
        Leasehold leasehold = client();
        MultiLock all = leasehold.allOf(names);
        List<Lease> held = new ArrayList<>();
        for (String name : names) {
            held.add(client().lock(name).acquire());
        }
        long begun = serverMicros();
        CompletableFuture<Optional<MultiLease>> waiter =
                all.tryAcquireAsync(Duration.ofSeconds(2)).toCompletableFuture();
        // The lock that is waited for first is free after most of the time, and the other is not.
        await().until(() -> names.stream().anyMatch(name -> field(name, "wn").equals("1")));
        await().until(() -> serverMicros() - begun > 1_300_000);
        int waitedFor = field(names.get(0), "wn").equals("1") ? 0 : 1;
        held.get(waitedFor).release();
        await().until(waiter::isDone);
        assertThat(waiter.join()).isEmpty();
        assertThat(serverMicros() - begun).isGreaterThan(1_900_000);
        for (Lease lease : held) {
            lease.release();
        }
        noneIsHeldOrAwaited(names);
    }

    @Test
    void twoClientsThatRequestInOppositeOrdersNeverWaitForEachOther() throws Exception {
        // hazard 53
        List<String> names = names(3);
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);
        List<MultiLock> askers = List.of(client().allOf(names), client().allOf(reversed));
        Map<String, AtomicInteger> holders = new ConcurrentHashMap<>();
        names.forEach(name -> holders.put(name, new AtomicInteger()));
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int t = 0; t < 12; t++) {
            MultiLock locks = askers.get(t % 2);
            threads.add(inThread(() -> {
                for (int i = 0; i < 40; i++) {
                    try (MultiLease lease = locks.acquire(LIMIT)) {
                        holders.values().forEach(inside -> overlaps.addAndGet(inside.getAndIncrement()));
                        holders.values().forEach(AtomicInteger::decrementAndGet);
                        lease.ensureHeld();
                    }
                }
                return rounds.addAndGet(40);
            }));
        }
        for (CompletableFuture<Integer> thread : threads) {
            thread.get(60, TimeUnit.SECONDS);
        }
        assertThat(rounds).hasValue(480);
        assertThat(overlaps).hasValue(0);
        noneIsHeldOrAwaited(names);
    }

    @Test
    void tokensOfEachNameRiseWhateverSetsTheNameIsIn() throws Exception {
        List<String> names = names(4);
        List<Leasehold> clients = List.of(client(), client());
        Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        Map<String, List<Long>> tokens = new ConcurrentHashMap<>();
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            Random random = new Random(t);
            Leasehold leasehold = clients.get(t % 2);
            threads.add(inThread(() -> {
                for (int i = 0; i < 40; i++) {
                    List<String> some = new ArrayList<>(names);
                    Collections.shuffle(some, random);
                    List<String> those = some.subList(0, 1 + random.nextInt(3));
                    try (MultiLease lease = leasehold.allOf(those).acquire(LIMIT)) {
                        for (String name : those) {
                            assertThat(inside.computeIfAbsent(name, key -> new AtomicInteger())
                                            .incrementAndGet())
                                    .isEqualTo(1);
                            tokens.computeIfAbsent(name, key -> new CopyOnWriteArrayList<>())
                                    .add(lease.fencingToken(name));
                        }
                        those.forEach(name -> inside.computeIfPresent(name, (key, count) -> {
                            count.decrementAndGet();
                            return count;
                        }));
                    }
                }
                return true;
            }));
        }
        for (CompletableFuture<Boolean> thread : threads) {
            assertThat(thread.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(tokens).hasSize(4);
        assertThat(tokens.values())
                .allSatisfy(each -> assertThat(each).isSorted().doesNotHaveDuplicates());
        noneIsHeldOrAwaited(names);
    }

    private void untilRenewedTwice(String name) {
        for (int times = 0; times < 2; times++) {
            long end = holdEnd(name);
            await().until(() -> holdEnd(name) > end);
        }
    }

    @Test
    void theLossOfOneIsReportedOnceAndTheReleaseReleasesTheRest() throws Exception {
        List<String> names = names(3);
        String lost = names.get(1);
        List<LossEvent> reported = new CopyOnWriteArrayList<>();
        MultiLease lease = client().allOf(names).with(renewedSoon()).acquire();
        lease.onLost(reported::add);
        assertThat(client().lock(lost).forceRelease()).isTrue();
        await().until(() -> !reported.isEmpty());
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lock '" + lost + "'");
        // The others remain, renewed, until the holder releases them.
        untilRenewedTwice(names.get(0));
        assertThat(client().lock(names.get(2)).tryAcquire()).isEmpty();
        assertThatThrownBy(lease::close)
                .isInstanceOf(LeaseLostException.class)
                .extracting(e -> ((LeaseLostException) e).lockName())
                .isEqualTo(lost);
        lease.close();
        assertThat(reported)
                .singleElement()
                .satisfies(loss -> assertThat(loss.lockName()).isEqualTo(lost));
        noneIsHeldOrAwaited(names);
    }

    @Test
    void allAreFreeALeaseAfterTheirHolderWasKilled() throws Exception {
        List<String> names = names(3);
        try (MultiHolderProcess holder = new MultiHolderProcess(address(), Duration.ofSeconds(3), names)) {
            assertThat(client().allOf(names).tryAcquire()).isEmpty();
            names.forEach(name -> assertThat(holds(name)).isOne());
            holder.kill();
            client().allOf(names).with(renewedSoon()).acquire(LIMIT).close();
        }
    }

    @Test
    void aWaiterThatIsInterruptedOrCancelledHoldsNothing() throws Exception {
        List<String> names = names(3);
        Leasehold leasehold = client();
        for (String name : names) {
            Lease one = client().lock(name).acquire();
            CompletableFuture<MultiLease> cancelled = waiter(leasehold.allOf(names));
            untilWaiting(name, 1);
            cancelled.cancel(false);
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<MultiLease> interrupted = inThread(() -> {
                thread.complete(Thread.currentThread());
                return leasehold.allOf(names).acquire();
            });
            untilWaiting(name, 1);
            thread.join().interrupt();
            await().until(interrupted::isDone);
            assertThatThrownBy(interrupted::join).hasCauseInstanceOf(InterruptedException.class);
            one.release();
            noneIsHeldOrAwaited(names);
        }
    }

    @Test
    void whatWasTakenWithoutAnAnswerIsGivenBackWithTheRest() throws Exception {
        List<String> names = names(3);
        for (String name : names) {
            Wiretap wire = wire();
            wire.all((call, go) -> {
                if (call.script().name().startsWith("acquire") && call.keys().contains(key(name))) {
                    Wiretap.executed(go);
                    return Wiretap.lost();
                }
                return go.get();
            });
            Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofSeconds(1)));
            assertThatThrownBy(() -> leasehold.allOf(names).acquire(Duration.ofMillis(300)))
                    .isInstanceOf(LockUnavailableException.class);
            wire.none();
            noneIsHeldOrAwaited(names);
        }
    }

    @Test
    void aLostAnswerIsRequestedAgainWithoutASecondHold() throws Exception {
        List<String> names = names(3);
        for (String name : names) {
            Wiretap wire = wire();
            AtomicInteger acquires = new AtomicInteger();
            wire.all((call, go) -> {
                boolean itsAcquire = call.script().name().startsWith("acquire")
                        && call.keys().contains(key(name));
                if (itsAcquire && acquires.incrementAndGet() == 1) {
                    Wiretap.executed(go);
                    return Wiretap.lost();
                }
                return go.get();
            });
            Leasehold leasehold = client(wire, builder -> {});
            MultiLease lease = leasehold.allOf(names).acquire(LIMIT);
            names.forEach(each -> assertThat(holds(each)).isOne());
            lease.release();
            noneIsHeldOrAwaited(names);
        }
    }

    @Test
    void anExtensionIsOfAllAndWhatRemainsIsTheLeast() throws Exception {
        List<String> names = names(3);
        Leasehold leasehold = client();
        try (MultiLease lease = leasehold.allOf(names).with(unrenewed(10_000)).acquire()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
            assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
            names.forEach(name -> assertThat(holdEnd(name) - serverMicros()).isBetween(55_000_000L, 70_000_000L));
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theLeaseIsRenewedAndNothingIsLeftWhenItIsOver() throws Exception {
        List<String> names = names(3);
        MultiLease lease = client().allOf(names).with(renewedSoon()).acquire();
        names.forEach(this::untilRenewedTwice);
        lease.ensureHeld();
        assertThat(lease.releaseAsync().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isNull();
        noneIsHeldOrAwaited(names);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        LockOptions brief = woken(600).toBuilder().renewal(Renewal.none()).build();
        MultiLease runsOut = client().allOf(names).with(brief).acquire();
        await().until(() -> !runsOut.isHeld());
        assertThatThrownBy(runsOut::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theTokenIsThatOfANameAndTheMessageSaysSo() throws Exception {
        List<String> names = names(2);
        try (MultiLease lease = client().allOf(names).acquire()) {
            assertThat(lease.names()).isEqualTo(names);
            assertThat(lease.name()).isEqualTo(names.get(0) + ", " + names.get(1));
            assertThat(lease.fencingToken(names.get(0))).isPositive();
            assertThatThrownBy(lease::fencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("fencingToken(name)")
                    .hasMessageContaining(names.get(1));
            assertThatThrownBy(() -> lease.fencingToken("another"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'another'");
            assertThat(lease.toString()).contains(names).contains("HELD");
        }
    }

    @Test
    void namesThatBreakTheRulesAreRefusedBeforeAnythingIsSent() {
        Leasehold leasehold = client();
        String name = name();
        assertThatThrownBy(() -> leasehold.allOf())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one name or more");
        assertThatThrownBy(() -> leasehold.allOf(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> leasehold.allOf(name, "b", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(name, "twice");
        assertThatThrownBy(() -> leasehold.allOf(Arrays.asList(name, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number 2");
        assertThatThrownBy(() -> leasehold.allOf(name, "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> leasehold.allOf(name).acquire(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void somethingElseUnderOneOfTheKeysIsRefusedAndTheOthersAreGivenBack() {
        List<String> names = names(3);
        Leasehold leasehold = client();
        for (String name : names) {
            server(key(name)).command("SET", key(name), "something");
            assertThatThrownBy(() -> leasehold.allOf(names).tryAcquire())
                    .isInstanceOf(ForeignKeyException.class)
                    .hasMessageContaining(name);
            assertThat(server(key(name)).command("GET", key(name))).isEqualTo("something");
            server(key(name)).command("DEL", key(name));
            noneIsHeldOrAwaited(names);
        }
    }

    @Test
    void aClientThatIsClosedGivesAllBack() throws Exception {
        List<String> names = names(3);
        Leasehold leasehold = client();
        MultiLease lease = leasehold.allOf(names).acquire();
        leasehold.close();
        assertThat(lease.isHeld()).isFalse();
        lease.release();
        noneIsHeldOrAwaited(names);
        assertThatThrownBy(() -> leasehold.allOf(names)).isInstanceOf(IllegalStateException.class);
    }
}
