package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Leader election: one leader at a time, notified of each beginning and end, and replaced when it is gone. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see the waiters in different orders")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class LeaderContract extends ContractBase {

    /** Longer than a stall of a busy machine, of which two thirds end a lease. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final LockOptions OPTIONS =
            LockOptions.builder().leaseTime(LEASE).build();

    /** The events that a candidate received, in order. */
    private static class RecordingListener implements LeaderListener {

        final Queue<String> events = new ConcurrentLinkedQueue<>();
        final Queue<Term> terms = new ConcurrentLinkedQueue<>();
        final AtomicInteger inside = new AtomicInteger();
        volatile String mistake = "";
        private volatile @Nullable Term last;

        @Override
        public void onElected(Term term) {
            enter(events.size() % 2 == 0);
            last = term;
            terms.add(term);
            events.add("elected");
            inside.decrementAndGet();
        }

        @Override
        public void onDemoted(Term term, DemotionReason reason) {
            enter(events.size() % 2 == 1 && term == last);
            events.add(reason.toString());
            inside.decrementAndGet();
        }

        private void enter(boolean inOrder) {
            if (!inOrder || inside.incrementAndGet() != 1) {
                mistake = "out of order, or two at once, after " + events;
            }
        }

        Term last() {
            return Objects.requireNonNull(last);
        }

        boolean elected(int times) {
            return terms.size() >= times;
        }
    }

    private LeaderElection election(Leasehold client, String name) {
        return Elections.of(client).election(name).with(OPTIONS);
    }

    private Candidacy stand(Leasehold client, String name, LeaderListener listener) {
        return closing(election(client, name).stand(listener));
    }

    /** Waits until so many candidates wait behind the leader. */
    private void untilCandidatesWait(String name, int others) {
        untilWaiting(name, others);
    }

    private static void until(RecordingListener listener, int terms) {
        soon().until(() -> listener.elected(terms));
    }

    @Test
    void aLoneCandidateIsElectedAndStaysLeader() {
        String name = name();
        RecordingListener listener = new RecordingListener();
        Leasehold client = client();
        Candidacy candidacy = stand(client, name, listener);
        until(listener, 1);
        assertThat(candidacy.isLeader()).isTrue();
        Term term = candidacy.term().orElseThrow();
        assertThat(term.name()).isEqualTo(name);
        assertThat(Long.toString(term.fencingToken())).isEqualTo(field(name, "last"));
        assertThat(term.remaining()).isPositive();
        long end = holdEnd(name);
        await().until(() -> serverMicros() > end);
        term.ensureHeld();
        assertThat(listener.events).containsExactly("elected");
        assertThat(election(client(), name).leader())
                .hasValueSatisfying(info -> assertThat(info.fencingToken()).isEqualTo(term.fencingToken()));
    }

    @Test
    void ofManyOneLeadsAndTheNextFollowsItWithAHigherToken() throws Exception {
        String name = name();
        List<RecordingListener> all = new ArrayList<>();
        List<Candidacy> candidates = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(new RecordingListener());
            candidates.add(stand(client(), name, all.get(i)));
            if (i == 0) {
                until(all.get(0), 1);
            } else {
                untilCandidatesWait(name, i);
            }
        }
        long token = 0;
        for (int i = 0; i < 6; i++) {
            until(all.get(i), 1);
            Candidacy leader = candidates.get(i);
            assertThat(candidates.stream().filter(Candidacy::isLeader)).containsExactly(leader);
            assertThat(leader.term().orElseThrow().fencingToken()).isGreaterThan(token);
            token = leader.term().orElseThrow().fencingToken();
            leader.close();
            assertThat(all.get(i).events).containsExactly("elected", "CLOSED");
            assertThat(leader.isLeader()).isFalse();
        }
        assertThat(holds(name)).isZero();
    }

    @Test
    void aResignedLeaderRejoinsBehindTheOthers() {
        String name = name();
        RecordingListener first = new RecordingListener();
        RecordingListener second = new RecordingListener();
        Candidacy one = stand(client(), name, first);
        until(first, 1);
        Candidacy two = stand(client(), name, second);
        for (int round = 1; round <= 10; round++) {
            untilCandidatesWait(name, 1);
            one.resign();
            until(second, round);
            untilCandidatesWait(name, 1);
            two.resign();
            until(first, round + 1);
        }
        one.close();
        two.close();
        assertThat(first.mistake).isEmpty();
        assertThat(second.mistake).isEmpty();
        assertThat(first.terms).hasSize(11);
        assertThat(second.terms.stream().map(Term::fencingToken)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aLoneCandidateThatResignsIsElectedAgainWithAHigherToken() {
        String name = name();
        RecordingListener listener = new RecordingListener();
        Candidacy candidacy = stand(client(), name, listener);
        until(listener, 1);
        Term before = listener.last();
        candidacy.resign();
        until(listener, 2);
        assertThat(listener.last().fencingToken()).isGreaterThan(before.fencingToken());
        assertThat(before.isHeld()).isFalse();
        assertThat(listener.events).containsExactly("elected", "RESIGNED", "elected");
    }

    @Test
    void theNextIsElectedOnlyWhenTheListenerOfTheLastHasReturned() throws Exception {
        String name = name();
        CountDownLatch stopping = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        RecordingListener slow = new RecordingListener() {
            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                stopping.countDown();
                await().until(() -> stopped.getCount() == 0);
                assertThat(term.isHeld()).as("for its last writes").isTrue();
                super.onDemoted(term, reason);
            }
        };
        RecordingListener next = new RecordingListener();
        // Nobody waits for the lease: the lock is free when the listener has returned, or after this time.
        LeaderElection election = Elections.of(client())
                .election(name)
                .with(LockOptions.builder().leaseTime(LIMIT).build());
        Candidacy candidacy = closing(election.stand(slow));
        until(slow, 1);
        stand(client(), name, next);
        untilCandidatesWait(name, 1);
        candidacy.resign();
        assertThat(stopping.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(candidacy.isLeader()).isFalse();
        assertThat(holds(name)).isEqualTo(1);
        assertThat(next.events).isEmpty();
        stopped.countDown();
        until(next, 1);
        assertThat(slow.events).containsExactly("elected", "RESIGNED");
    }

    @Test
    void aKilledLeaderIsReplacedWhenItsLeaseHasEnded() throws Exception {
        String name = name();
        try (ChildJvm leader = LeaderProcess.start(address(), name, LEASE)) {
            long token = LeaderProcess.token(leader.answerTo("elected"));
            RecordingListener listener = new RecordingListener();
            stand(client(), name, listener);
            untilCandidatesWait(name, 1);
            leader.kill();
            long killed = serverMicros();
            until(listener, 1);
            assertThat(listener.last().fencingToken()).isGreaterThan(token);
            // The bound is part of the promise: about one lease. The rest allows for a busy machine.
            assertThat(serverMicros() - killed).isLessThan(LEASE.toNanos() / 1000 + 5_000_000);
        }
    }

    @Test
    void aFrozenLeaderIsNotifiedWhenItThawsAndItsTokenIsLower() throws Exception {
        String name = name();
        try (ChildJvm frozen = LeaderProcess.start(address(), name, LEASE)) {
            long token = LeaderProcess.token(frozen.answerTo("elected"));
            RecordingListener listener = new RecordingListener();
            Candidacy candidacy = stand(client(), name, listener);
            untilCandidatesWait(name, 1);
            frozen.freeze();
            until(listener, 1);
            assertThat(listener.last().fencingToken()).isGreaterThan(token);
            frozen.thaw();
            assertThat(frozen.answerTo("demoted")).isEqualTo("demoted " + token + " LOST");
            assertThat(frozen.ask("leads")).isEqualTo("leads false");
            assertThat(listener.events).containsExactly("elected");
            // It becomes a candidate again by itself.
            untilCandidatesWait(name, 1);
            candidacy.close();
            assertThat(LeaderProcess.token(frozen.answerTo("elected")))
                    .isGreaterThan(listener.last().fencingToken());
        }
    }

    @Test
    void aBriefOutageDemotesNoLeader() {
        String name = name();
        FaultProxy proxy = proxy();
        RecordingListener listener = new RecordingListener();
        Leasehold client = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(400)));
        Candidacy candidacy = closing(Elections.of(client)
                .election(name)
                .with(renewedSoon().toBuilder()
                        .waitStrategy(WaitStrategy.woken())
                        .build())
                .stand(listener));
        until(listener, 1);
        proxy.swallow();
        // Long enough for two renewals, which get no answer in 400 ms.
        long begun = serverMicros();
        await().until(() -> serverMicros() > begun + 1_500_000);
        assertThat(candidacy.isLeader()).isTrue();
        proxy.heal();
        long end = holdEnd(name);
        await().until(() -> holdEnd(name) > end);
        assertThat(candidacy.isLeader()).isTrue();
        assertThat(listener.events).containsExactly("elected");
    }

    @Test
    void anOutageThatOutlastsTheLeaseDemotesAndTheCandidateRejoinsByItself() {
        String name = name();
        FaultProxy proxy = proxy();
        RecordingListener listener = new RecordingListener();
        Leasehold client = client(
                proxy.uri(),
                builder -> builder.commandTimeout(Duration.ofMillis(400)).outageTolerance(Duration.ofMillis(800)));
        Candidacy candidacy = stand(client, name, listener);
        until(listener, 1);
        long token = listener.last().fencingToken();
        proxy.refuse();
        proxy.reset();
        await().until(() -> listener.events.size() == 2);
        assertThat(listener.events).containsExactly("elected", "LOST");
        assertThat(candidacy.isLeader()).isFalse();
        proxy.heal();
        until(listener, 2);
        assertThat(listener.last().fencingToken()).isGreaterThan(token);
        assertThat(listener.mistake).isEmpty();
    }

    @Test
    void aCandidateDuringAnOutageIsElectedAfterIt() {
        String name = name();
        FaultProxy proxy = proxy();
        RecordingListener listener = new RecordingListener();
        Leasehold client = client(
                proxy.uri(),
                builder -> builder.commandTimeout(Duration.ofMillis(300)).outageTolerance(Duration.ofMillis(600)));
        proxy.swallow();
        try (CapturedLog log = new CapturedLog(getClass())) {
            stand(client, name, listener);
            await().until(() ->
                    log.messages().stream().anyMatch(line -> line.contains("cannot stand") && line.contains(name)));
        }
        assertThat(listener.events).isEmpty();
        proxy.heal();
        until(listener, 1);
    }

    @Test
    void aDeposedLeaderIsNotifiedAndAnotherLeads() {
        String name = name();
        RecordingListener deposed = new RecordingListener();
        RecordingListener next = new RecordingListener();
        stand(client(), name, deposed);
        until(deposed, 1);
        stand(client(), name, next);
        untilCandidatesWait(name, 1);
        assertThat(client().fairLock(name).forceRelease()).isTrue();
        until(next, 1);
        await().until(() -> deposed.events.contains("LOST"));
        assertThat(next.last().fencingToken()).isGreaterThan(deposed.last().fencingToken());
    }

    @Test
    void aListenerThatThrowsLetsAnotherLead() {
        String name = name();
        RecordingListener next = new RecordingListener();
        RecordingListener failing = new RecordingListener() {
            @Override
            public void onElected(Term term) {
                super.onElected(term);
                if (terms.size() == 1) {
                    untilCandidatesWait(name, 1);
                }
                throw new IllegalStateException("a test: this one cannot lead");
            }
        };
        Candidacy candidacy = stand(client(), name, failing);
        until(failing, 1);
        stand(client(), name, next);
        until(next, 1);
        await().until(() -> failing.events.size() == 2);
        assertThat(failing.events).containsExactly("elected", "FAILED");
        assertThat(candidacy.isLeader()).isFalse();
        // It becomes a candidate again.
        untilCandidatesWait(name, 1);
    }

    @Test
    void closingTheClientDemotesAndReleases() {
        String name = name();
        String other = name();
        Leasehold client = client();
        RecordingListener leading = new RecordingListener();
        RecordingListener waiting = new RecordingListener();
        Candidacy leader = stand(client, name, leading);
        until(leading, 1);
        RecordingListener elsewhere = new RecordingListener();
        stand(client(), other, elsewhere);
        until(elsewhere, 1);
        stand(client, other, waiting);
        untilCandidatesWait(other, 1);
        client.close();
        assertThat(leading.events).containsExactly("elected", "CLOSED");
        assertThat(leader.isLeader()).isFalse();
        assertThat(waiting.events).isEmpty();
        assertThat(holds(name)).isZero();
        assertThat(field(other, "wn")).isEqualTo("null");
        assertThatThrownBy(() -> Elections.of(client).election(name))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void theListenerMayCloseItsOwnCandidacyAndItsClient() {
        String name = name();
        CompletableFuture<Candidacy> candidacy = new CompletableFuture<>();
        Leasehold client = client();
        RecordingListener listener = new RecordingListener() {
            @Override
            public void onElected(Term term) {
                super.onElected(term);
                candidacy.join().close();
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                super.onDemoted(term, reason);
                client.close();
            }
        };
        candidacy.complete(stand(client, name, listener));
        await().until(() -> listener.events.size() == 2);
        assertThat(listener.events).containsExactly("elected", "CLOSED");
        isGivenBack(name);
    }

    @Test
    void eachCandidateIsNotifiedOfEachTermOnceAndInOrderWhateverHappens() {
        String name = name();
        List<RecordingListener> all = new ArrayList<>();
        List<Candidacy> candidates = new ArrayList<>();
        Leasehold shared = client();
        for (int i = 0; i < 4; i++) {
            all.add(new RecordingListener());
            candidates.add(stand(i < 2 ? shared : client(), name, all.get(i)));
        }
        AtomicInteger round = new AtomicInteger();
        soon().until(() -> {
            for (Candidacy candidacy : candidates) {
                // Read before the key is deleted: a candidate that has just been asked to resign may have no term
                // after it. The test would then wait for its re-election while another leads.
                long token = candidacy.term().map(Term::fencingToken).orElse(0L);
                if (token != 0 && round.incrementAndGet() % 5 == 0) {
                    server().command("DEL", key(name));
                    await().until(() -> candidacy.term().map(Term::fencingToken).orElse(0L) != token);
                } else {
                    candidacy.resign();
                }
            }
            // A candidate may be asked to resign several times in one term.
            return round.get() >= 15
                    && all.stream().mapToInt(listener -> listener.terms.size()).sum() > 10;
        });
        candidates.forEach(Candidacy::close);
        List<Long> tokens = new ArrayList<>();
        for (RecordingListener listener : all) {
            assertThat(listener.mistake).isEmpty();
            assertThat(listener.events.size()).isEqualTo(2 * listener.terms.size());
            listener.terms.forEach(term -> tokens.add(term.fencingToken()));
        }
        assertThat(tokens).doesNotHaveDuplicates().hasSizeGreaterThan(10);
    }
}
