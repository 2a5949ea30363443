package dev.leasehold.tck;

import static dev.leasehold.tck.ContractBase.await;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each kind of lock, and each call, before, within and after the migration of its slot. Within it a key that is old is first on
 * the source, then on the target; a new one is on the target, which is to be asked.
 */
class SlotMigrationKindsContract extends MovingSlotBase {

    /** A kind of lock, or a call, under a name of its own. */
    private interface Use {

        /** Ends what the step before has begun, and begins something that the next step finds. */
        void step();

        /** Returns the names of the leases that are renewed until the next step. */
        default List<String> renewed() {
            return List.of();
        }

        /** Ends everything. */
        void end();
    }

    private final Queue<String> takenAway = new ConcurrentLinkedQueue<>();

    @TestFactory
    List<DynamicTest> everyKindIsUsedInEveryStepOfAMigration() {
        Map<String, Supplier<Use>> kinds = kinds();
        Map<String, Use> lasting = new LinkedHashMap<>();
        Map<String, Runnable> steps = new LinkedHashMap<>();
        steps.put("before", () -> {});
        steps.put("old keys on the source", this::beginMigration);
        steps.put("all keys on the target", this::moveKeys);
        steps.put("after", this::finishMigration);
        List<DynamicTest> tests = new ArrayList<>();
        steps.forEach((step, action) -> {
            tests.add(dynamicTest("leases are renewed: " + step, () -> {
                action.run();
                awaitRenewals(lasting.values().stream()
                        .flatMap(use -> use.renewed().stream())
                        .toList());
            }));
            kinds.forEach((kind, maker) -> tests.add(dynamicTest(kind + ": " + step, () -> {
                lasting.computeIfAbsent(kind, any -> maker.get()).step();
                Use fresh = maker.get();
                fresh.step();
                fresh.step();
                fresh.end();
            })));
        });
        tests.add(dynamicTest("nothing is left", () -> {
            lasting.values().forEach(Use::end);
            assertNothingLeft();
            assertThat(losses.keySet()).hasSameElementsAs(takenAway);
        }));
        return tests;
    }

    private Map<String, Supplier<Use>> kinds() {
        Map<String, Supplier<Use>> kinds = new LinkedHashMap<>();
        kinds.put("lock", () -> passed(nextName(), RENEWED));
        kinds.put(
                "lock without renewal",
                () -> passed(
                        nextName(), LASTING.toBuilder().renewal(Renewal.none()).build()));
        kinds.put(
                "lock with a maximum",
                () -> passed(
                        nextName(),
                        RENEWED.toBuilder().maxHold(Duration.ofHours(1)).build()));
        kinds.put(
                "lock that replicas have",
                () -> passed(
                        nextName(),
                        RENEWED.toBuilder().replicas(1, Duration.ofSeconds(10)).build()));
        kinds.put("plain lock", () -> shared(Formats.plain()));
        kinds.put("lock of Redisson", () -> shared(Formats.redisson()));
        kinds.put("lock of Spring Integration", () -> shared(Formats.springIntegration("registry")));
        kinds.put("readers", () -> new Readers(nextName()));
        kinds.put("downgrade", () -> new Downgraded(nextName()));
        kinds.put("retained hold", () -> new Retained(nextName()));
        kinds.put("export", () -> new Exported(nextName()));
        kinds.put("minimum hold", () -> new Kept(nextName()));
        kinds.put("named owner", () -> new Owned(nextName()));
        kinds.put("several locks", () -> new Several(nextName(), nextName()));
        kinds.put("fair lock", () -> new Fair(nextName()));
        kinds.put("permits", () -> new Permits(nextName()));
        kinds.put("request to release", () -> new Requested(nextName()));
        kinds.put("forced release", () -> new TakenAway(nextName()));
        kinds.put("cancelled stage", () -> new Cancelled(nextName()));
        kinds.put("close", () -> new Closed(nextName()));
        kinds.put("election", () -> new Elected(nextName()));
        Wiretap wire = wire();
        Leasehold tapped = client(wire);
        kinds.put("lost answer", () -> new Unanswered(nextName(), wire, tapped));
        kinds.put("late copy", () -> new Copied(nextName(), wire, tapped));
        return kinds;
    }

    private Use passed(String name, LockOptions options) {
        return new Passed(
                name,
                client -> client.lock(name).with(options),
                options.renewal().enabled(),
                true);
    }

    private Use shared(LockFormat format) {
        String name = "{" + nextName() + "}:" + format;
        LockOptions options = RENEWED.toBuilder()
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(10)))
                .build();
        return new Passed(name, client -> client.lock(name, format).with(options), true, false);
    }

    /** A use of one name that keeps a renewed lease from one step to the next. */
    private abstract static class Holding implements Use {
        final String name;

        @Nullable
        Lease held;

        Holding(String name) {
            this.name = name;
        }

        @Override
        public List<String> renewed() {
            return List.of(name);
        }

        @Override
        public void end() {
            release(held);
        }
    }

    /** A lease that excludes the other client in the next step, and is then passed to a waiter. */
    private final class Passed extends Holding {
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private final boolean renewed;
        private final boolean tokens;

        Passed(String name, Function<Leasehold, DistributedLock> lock, boolean renewed, boolean tokens) {
            super(name);
            mine = lock.apply(leasehold);
            theirs = lock.apply(other);
            this.renewed = renewed;
            this.tokens = tokens;
        }

        @Override
        public void step() {
            Lease former = held;
            if (former == null) {
                held = acquired(mine);
                return;
            }
            former.ensureHeld();
            assertBusy(theirs);
            CompletionStage<Lease> waiter = waiting(name, theirs::acquireAsync);
            former.release();
            Lease next = answer(waiter);
            next.release();
            Lease last = acquired(mine);
            if (tokens) {
                above(former, next);
                above(next, last);
            }
            held = last;
        }

        @Override
        public List<String> renewed() {
            return renewed ? List.of(name) : List.of();
        }
    }

    private static void release(@Nullable Lease held) {
        if (held != null) {
            held.release();
        }
    }

    /** A reader that a reader of the other client joins, and a writer that waits for both. */
    private final class Readers extends Holding {
        private final DistributedReadWriteLock mine;
        private final DistributedReadWriteLock theirs;

        Readers(String name) {
            super(name);
            mine = leasehold.readWriteLock(name);
            theirs = other.readWriteLock(name);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former != null) {
                joinedAndExcluding(former);
            }
            held = acquired(mine.readLock().with(RENEWED));
        }

        private void joinedAndExcluding(Lease reader) {
            reader.ensureHeld();
            Lease second = acquired(theirs.readLock().with(RENEWED));
            assertThat(second.fencingToken()).isEqualTo(reader.fencingToken());
            assertBusy(theirs.writeLock());
            CompletionStage<Lease> writer = waiting(name, theirs.writeLock()::acquireAsync);
            reader.release();
            second.release();
            above(reader, answer(writer)).release();
        }
    }

    /** A writer that becomes a reader. */
    private final class Downgraded extends Holding {
        private final DistributedReadWriteLock mine;
        private final DistributedReadWriteLock theirs;

        Downgraded(String name) {
            super(name);
            mine = leasehold.readWriteLock(name);
            theirs = other.readWriteLock(name);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former != null) {
                former.ensureHeld();
                assertBusy(theirs.writeLock());
                former.release();
                above(former, acquired(theirs.writeLock())).release();
            }
            Lease next = answer(mine.downgradeAsync(acquired(mine.writeLock().with(RENEWED))));
            Lease joins = acquired(theirs.readLock());
            assertThat(joins.fencingToken()).isEqualTo(next.fencingToken());
            joins.release();
            held = next;
        }
    }

    /** A hold that its client retains, until the other client asks for it. */
    private final class Retained implements Use {
        private final DistributedLock mine;
        private final DistributedLock theirs;

        Retained(String name) {
            mine = leasehold
                    .lock(name)
                    .with(LockOptions.builder()
                            .retainFor(LockOptions.MAX_RETAIN_TIME)
                            .build());
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            Queue<Lease> mineSoFar = new ConcurrentLinkedQueue<>();
            await().until(() -> {
                Lease lease = acquired(mine);
                lease.release();
                mineSoFar.add(lease);
                return mine.inspect().map(LockInfo::retained).orElse(false);
            });
            Lease next = acquired(theirs);
            assertThat(mineSoFar).allSatisfy(lease -> above(lease, next));
            next.release();
        }

        @Override
        public void end() {
            // The other client has it last.
        }
    }

    /** A lease that is exported in one step, and resumed by the other client in the next. */
    private final class Exported implements Use {
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private String exported = "";
        private @Nullable Lease former;

        Exported(String name) {
            mine = leasehold.lock(name).with(LASTING);
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            Lease last = former;
            if (last != null) {
                assertBusy(theirs);
                Lease resumed = above(last, answer(other.resumeAsync(exported, RENEWED)));
                awaitRenewals(List.of(resumed.name()));
                assertBusy(mine);
                resumed.release();
            }
            Lease next = acquired(mine);
            exported = next.export();
            next.close();
            former = next;
        }

        @Override
        public void end() {
            answer(other.resumeAsync(exported, RENEWED)).release();
        }
    }

    /** A hold that stays for its minimum, which only force ends. */
    private final class Kept implements Use {
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private @Nullable Lease former;

        Kept(String name) {
            mine = leasehold
                    .lock(name)
                    .with(LASTING.toBuilder().minHold(Duration.ofMinutes(9)).build());
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            Lease last = former;
            if (last != null) {
                end();
            }
            Lease next = acquired(mine);
            next.release();
            assertBusy(theirs);
            former = last == null ? next : above(last, next);
        }

        @Override
        public void end() {
            assertBusy(theirs);
            assertThat(theirs.forceRelease()).isTrue();
        }
    }

    /** An owner with holds of two clients. */
    private final class Owned extends Holding {
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private final DistributedLock stranger;

        Owned(String name) {
            super(name);
            mine = leasehold.lock(name).with(RENEWED).ownedBy("order-17");
            theirs = other.lock(name).with(RENEWED).ownedBy("order-17");
            stranger = other.lock(name);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former == null) {
                held = acquired(mine);
                return;
            }
            former.ensureHeld();
            Lease second = acquired(theirs);
            assertThat(second.fencingToken()).isEqualTo(former.fencingToken());
            former.release();
            assertBusy(stranger);
            CompletionStage<Lease> waiter = waiting(name, stranger::acquireAsync);
            second.release();
            Lease next = above(former, answer(waiter));
            next.release();
            held = above(next, acquired(mine));
        }
    }

    /** Two old locks and a new one, which lie on both sides of a slot that is half moved. */
    private final class Several implements Use {
        private final List<String> names;
        private @Nullable MultiLease held;

        Several(String... names) {
            this.names = List.of(names);
        }

        @Override
        public void step() {
            MultiLease former = held;
            List<String> all = new ArrayList<>(names);
            all.add(nextName());
            if (former != null) {
                former.ensureHeld();
                assertBusy(other.allOf(all));
                assertBusy(other.lock(names.get(1)));
                CompletionStage<MultiLease> waiter = waiting(names.get(0), other.allOf(all)::acquireAsync);
                former.release();
                MultiLease next = answer(waiter);
                assertThat(names)
                        .allSatisfy(
                                name -> assertThat(next.fencingToken(name)).isGreaterThan(former.fencingToken(name)));
                next.release();
            }
            held = acquired(leasehold.allOf(all).with(RENEWED));
        }

        @Override
        public List<String> renewed() {
            return names;
        }

        @Override
        public void end() {
            release(held);
        }
    }

    /** Waiters of two clients, which stay in the queue for a step and are served in its order. */
    private final class Fair extends Holding {
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private CompletionStage<Lease> first = new CompletableFuture<>();
        private CompletionStage<Lease> second = new CompletableFuture<>();

        Fair(String name) {
            super(name);
            mine = leasehold.fairLock(name).with(RENEWED);
            theirs = other.fairLock(name).with(RENEWED);
        }

        @Override
        public void step() {
            Lease former = held;
            held = former == null ? acquired(mine) : served(former);
            first = waiting(name, theirs::acquireAsync);
            second = waiting(name, mine::acquireAsync);
        }

        /** Returns the lease of the last in the queue. */
        private Lease served(Lease former) {
            former.release();
            Lease next = above(former, answer(first));
            assertThat(second.toCompletableFuture()).isNotDone();
            next.release();
            return above(next, answer(second));
        }

        @Override
        public void end() {
            Lease former = held;
            if (former != null) {
                served(former).release();
            }
        }
    }

    /** Two permits of two clients, and a waiter for one. */
    private final class Permits extends Holding {
        private final DistributedSemaphore mine;
        private final DistributedSemaphore theirs;

        Permits(String name) {
            super(name);
            mine = leasehold.semaphore(name, 2).with(RENEWED);
            theirs = other.semaphore(name, 2).with(RENEWED);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former != null) {
                former.ensureHeld();
                Lease second = acquired(theirs);
                assertBusy(theirs);
                CompletionStage<Lease> waiter = waiting(name, theirs::acquireAsync);
                former.release();
                Lease third = answer(waiter);
                assertThat(mine.availablePermits()).isZero();
                second.release();
                third.release();
                assertThat(mine.availablePermits()).isEqualTo(2);
            }
            held = acquired(mine);
        }
    }

    /** A holder that releases when it is asked to. */
    private final class Requested extends Holding {
        private final DistributedLock mine;
        private final DistributedLock theirs;

        Requested(String name) {
            super(name);
            mine = leasehold.lock(name).with(RENEWED);
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former != null) {
                CompletableFuture<ReleaseRequestedEvent> requested = new CompletableFuture<>();
                former.onReleaseRequested(requested::complete);
                assertThat(theirs.requestRelease()).isTrue();
                assertThat(answer(requested).fencingToken()).isEqualTo(former.fencingToken());
                former.release();
                assertThat(theirs.requestRelease()).isFalse();
            }
            held = acquired(mine);
        }
    }

    /** A holder whose lock is taken away by force. */
    private final class TakenAway extends Holding {
        private final DistributedLock mine;
        private final DistributedLock theirs;

        TakenAway(String name) {
            super(name);
            mine = leasehold.lock(name).with(RENEWED);
            theirs = other.lock(name);
            takenAway.add(name);
        }

        @Override
        public void step() {
            Lease former = held;
            Lease next = former == null ? acquired(mine) : above(former, takenFrom(former));
            held = next;
        }

        private Lease takenFrom(Lease former) {
            former.ensureHeld();
            CompletableFuture<LossEvent> lost = new CompletableFuture<>();
            former.onLost(lost::complete);
            assertThat(theirs.forceRelease()).isTrue();
            assertThat(answer(lost).fencingToken()).isEqualTo(former.fencingToken());
            return acquired(mine);
        }
    }

    /** A waiter that gives up: it holds nothing when the holder has released. */
    private final class Cancelled implements Use {
        private final String name;
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private @Nullable Lease held;
        private CompletionStage<Lease> waiter = new CompletableFuture<>();

        Cancelled(String name) {
            this.name = name;
            mine = leasehold.lock(name).with(LASTING);
            theirs = other.lock(name).with(LASTING);
        }

        @Override
        public void step() {
            end();
            Lease former = held;
            held = former == null ? acquired(mine) : above(former, acquired(mine));
            waiter = waiting(name, theirs::acquireAsync);
        }

        @Override
        public void end() {
            waiter.toCompletableFuture().cancel(true);
            release(held);
            await().ignoreException(LockUnavailableException.class)
                    .until(() -> mine.inspect().isEmpty());
        }
    }

    /** A client that is closed while it holds a lock and waits for another. */
    private final class Closed implements Use {
        private final DistributedLock mine;
        private final DistributedLock ofClosed;
        private @Nullable Lease held;
        private @Nullable Leasehold client;
        private CompletionStage<Lease> waiter = new CompletableFuture<>();

        Closed(String name) {
            mine = leasehold.lock(name).with(LASTING);
            ofClosed = leasehold.lock(nextName()).with(LASTING);
        }

        @Override
        public void step() {
            end();
            Lease next = acquired(mine);
            Leasehold closed = builder().build();
            Lease unused = acquired(closed.lock(ofClosed.name()).with(LASTING));
            waiter = waiting(mine.name(), closed.lock(mine.name())::acquireAsync);
            client = closed;
            held = next;
        }

        @Override
        public void end() {
            Leasehold closed = client;
            if (closed != null) {
                closed.close();
                failure(waiter, IllegalStateException.class);
                acquired(ofClosed).release();
                release(held);
                client = null;
            }
        }
    }

    /** A leader that resigns in each step, so that the other candidate leads. */
    private final class Elected implements Use {
        private final Candidacy first;
        private final Candidacy second;
        private final LeaderElection election;
        private long token;

        Elected(String name) {
            first = Elections.of(leasehold).election(name).with(RENEWED).stand(IDLE);
            await().until(first::isLeader);
            election = Elections.of(other).election(name).with(RENEWED);
            second = election.stand(IDLE);
        }

        @Override
        public void step() {
            Candidacy leader = first.isLeader() ? first : second;
            Candidacy next = leader == first ? second : first;
            Term term = leader.term().orElseThrow();
            assertThat(next.isLeader()).isFalse();
            assertThat(term.fencingToken()).isGreaterThan(token);
            token = term.fencingToken();
            // Whoever resigns while nobody waits may lead again.
            await().until(() ->
                    election.leader().filter(lock -> lock.waiters().size() == 1).isPresent());
            leader.resign();
            await().until(next::isLeader);
            assertThat(leader.isLeader()).isFalse();
        }

        @Override
        public List<String> renewed() {
            return List.of(first.name());
        }

        @Override
        public void end() {
            first.close();
            second.close();
        }
    }

    private static final LeaderListener IDLE = new LeaderListener() {
        @Override
        public void onElected(Term term) {}

        @Override
        public void onDemoted(Term term, DemotionReason reason) {}
    };

    /** An acquisition and a release whose answers are lost. */
    private final class Unanswered implements Use {
        private final Wiretap wire;
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private @Nullable Lease held;

        Unanswered(String name, Wiretap wire, Leasehold tapped) {
            this.wire = wire;
            mine = tapped.lock(name).with(LASTING);
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            Lease former = held;
            if (former != null) {
                wire.next("release", (call, go) -> go.get().thenCompose(reply -> Wiretap.lost()));
                former.release();
                above(former, acquired(theirs)).release();
            }
            wire.nextAcquire((call, go) -> go.get().thenCompose(reply -> Wiretap.lost()));
            held = acquired(mine);
            assertBusy(theirs);
        }

        @Override
        public void end() {
            release(held);
        }
    }

    /** Requests of acquisitions that arrive after a repeat and its release, also in the next step. */
    private final class Copied implements Use {
        private final Wiretap wire;
        private final DistributedLock mine;
        private final DistributedLock theirs;
        private final List<Supplier<CompletionStage<List<String>>>> copies = new ArrayList<>();

        Copied(String name, Wiretap wire, Leasehold tapped) {
            this.wire = wire;
            mine = tapped.lock(name).with(LASTING);
            theirs = other.lock(name);
        }

        @Override
        public void step() {
            end();
            wire.nextAcquire((call, go) -> {
                copies.add(go);
                return Wiretap.lost();
            });
            Lease lease = acquired(mine);
            lease.release();
            end();
            above(lease, acquired(theirs)).release();
        }

        @Override
        public void end() {
            copies.forEach(copy -> assertThat(answer(copy.get())).isNotEmpty());
            assertThat(theirs.inspect()).isEmpty();
        }
    }

    @Test
    void aLockOfTwoKeysKeepsItsHolderAndIsAcquiredAgainAfterTheMigration() {
        // Redis lets no call have keys of which the target has one only: TRYAGAIN.
        String name = "{" + nextName() + "}:fenced";
        DistributedLock mine = leasehold.lock(name, Formats.redissonFenced()).with(RENEWED);
        Lease held = acquired(mine);
        beginMigration();
        awaitRenewals(List.of(name));
        assertBusy(other.lock(name, Formats.redissonFenced()));
        moveKeys();
        awaitRenewals(List.of(name));
        assertBusy(other.lock(name, Formats.redissonFenced()));
        held.release();
        try (Leasehold hasty = hasty().build()) {
            // On a busy machine the time of one may be over before it is sent once more.
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(failure(
                                    hasty.lock(name, Formats.redissonFenced()).tryAcquireAsync(),
                                    LockUnavailableException.class))
                            .hasMessageContaining("TRYAGAIN"));
        }
        CompletionStage<Lease> next = mine.acquireAsync(LIMIT);
        finishMigration();
        above(held, answer(next)).release();
        assertThat(losses).isEmpty();
    }
}
