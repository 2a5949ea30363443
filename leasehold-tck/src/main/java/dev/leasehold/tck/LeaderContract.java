package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Candidacy;
import dev.leasehold.DemotionReason;
import dev.leasehold.LeaderElection;
import dev.leasehold.LeaderListener;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Term;
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

/** Leader election: one leader at a time, told of each beginning and end, and another when it is gone. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see those who wait in different orders")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long, and there nothing differs from one server")
public abstract class LeaderContract extends ContractBase {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final LockOptions OPTIONS =
            LockOptions.builder().leaseTime(LEASE).build();

    /** For subclasses. */
    protected LeaderContract() {}

    /** What a candidate was told, in its order. */
    private static class Heard implements LeaderListener {

        final Queue<String> told = new ConcurrentLinkedQueue<>();
        final Queue<Term> terms = new ConcurrentLinkedQueue<>();
        final AtomicInteger inside = new AtomicInteger();
        volatile String mistake = "";
        private volatile @Nullable Term last;

        @Override
        public void onElected(Term term) {
            enter(told.size() % 2 == 0);
            last = term;
            terms.add(term);
            told.add("elected");
            inside.decrementAndGet();
        }

        @Override
        public void onDemoted(Term term, DemotionReason reason) {
            enter(told.size() % 2 == 1 && term == last);
            told.add(reason.toString());
            inside.decrementAndGet();
        }

        private void enter(boolean inOrder) {
            if (!inOrder || inside.incrementAndGet() != 1) {
                mistake = "out of order, or two at once, after " + told;
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
        return client.leaderElection(name).with(OPTIONS);
    }

    private Candidacy stand(Leasehold client, String name, LeaderListener listener) {
        return closing(election(client, name).stand(listener));
    }

    /** So many wait behind the leader. */
    private void untilStanding(String name, int others) {
        untilWaiting(name, others);
    }

    private static void until(Heard heard, int terms) {
        soon().until(() -> heard.elected(terms));
    }

    @Test
    void whoStandsAloneIsElectedAndStaysSo() {
        String name = name();
        Heard heard = new Heard();
        Leasehold client = client();
        Candidacy candidacy = stand(client, name, heard);
        until(heard, 1);
        assertThat(candidacy.isLeader()).isTrue();
        Term term = candidacy.term().orElseThrow();
        assertThat(term.name()).isEqualTo(name);
        assertThat(Long.toString(term.fencingToken())).isEqualTo(field(name, "last"));
        assertThat(term.remaining()).isPositive();
        long end = holdEnd(name);
        await().until(() -> serverMicros() > end);
        term.ensureHeld();
        assertThat(heard.told).containsExactly("elected");
        assertThat(election(client(), name).leader())
                .hasValueSatisfying(info -> assertThat(info.fencingToken()).isEqualTo(term.fencingToken()));
    }

    @Test
    void ofManyOneLeadsAndTheNextFollowsItWithAHigherToken() throws Exception {
        String name = name();
        List<Heard> all = new ArrayList<>();
        List<Candidacy> candidates = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(new Heard());
            candidates.add(stand(client(), name, all.get(i)));
            if (i == 0) {
                until(all.get(0), 1);
            } else {
                untilStanding(name, i);
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
            assertThat(all.get(i).told).containsExactly("elected", "CLOSED");
            assertThat(leader.isLeader()).isFalse();
        }
        assertThat(holds(name)).isZero();
    }

    @Test
    void whoResignsStandsAgainBehindTheOthers() {
        String name = name();
        Heard first = new Heard();
        Heard second = new Heard();
        Candidacy one = stand(client(), name, first);
        until(first, 1);
        Candidacy two = stand(client(), name, second);
        for (int round = 1; round <= 10; round++) {
            untilStanding(name, 1);
            one.resign();
            until(second, round);
            untilStanding(name, 1);
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
    void whoResignsAloneIsElectedAnewWithAHigherToken() {
        String name = name();
        Heard heard = new Heard();
        Candidacy candidacy = stand(client(), name, heard);
        until(heard, 1);
        Term before = heard.last();
        candidacy.resign();
        until(heard, 2);
        assertThat(heard.last().fencingToken()).isGreaterThan(before.fencingToken());
        assertThat(before.isHeld()).isFalse();
        assertThat(heard.told).containsExactly("elected", "RESIGNED", "elected");
    }

    @Test
    void theNextIsElectedOnlyWhenTheListenerOfTheLastHasReturned() throws Exception {
        String name = name();
        CountDownLatch stopping = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Heard slow = new Heard() {
            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                stopping.countDown();
                await().until(() -> stopped.getCount() == 0);
                assertThat(term.isHeld()).as("for its last writes").isTrue();
                super.onDemoted(term, reason);
            }
        };
        Heard next = new Heard();
        // A lease that nobody waits for: the lock is free when the listener has returned, or after this.
        LeaderElection election = client().leaderElection(name)
                .with(LockOptions.builder().leaseTime(LIMIT).build());
        Candidacy candidacy = closing(election.stand(slow));
        until(slow, 1);
        stand(client(), name, next);
        untilStanding(name, 1);
        candidacy.resign();
        assertThat(stopping.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(candidacy.isLeader()).isFalse();
        assertThat(holds(name)).isEqualTo(1);
        assertThat(next.told).isEmpty();
        stopped.countDown();
        until(next, 1);
        assertThat(slow.told).containsExactly("elected", "RESIGNED");
    }

    @Test
    void aLeaderWhoseProcessIsKilledIsFollowedWhenItsLeaseHasEnded() throws Exception {
        String name = name();
        try (ChildJvm leader = LeaderProcess.start(server().uri(), name, LEASE)) {
            long token = LeaderProcess.token(leader.answerTo("elected"));
            Heard heard = new Heard();
            stand(client(), name, heard);
            untilStanding(name, 1);
            leader.kill();
            long killed = serverMicros();
            until(heard, 1);
            assertThat(heard.last().fencingToken()).isGreaterThan(token);
            // The bound is part of the promise: about a lease. The rest is for a busy machine.
            assertThat(serverMicros() - killed).isLessThan(LEASE.toNanos() / 1000 + 5_000_000);
        }
    }

    @Test
    void aFrozenLeaderIsToldWhenItThawsAndItsTokenIsLower() throws Exception {
        String name = name();
        try (ChildJvm frozen = LeaderProcess.start(server().uri(), name, LEASE)) {
            long token = LeaderProcess.token(frozen.answerTo("elected"));
            Heard heard = new Heard();
            Candidacy candidacy = stand(client(), name, heard);
            untilStanding(name, 1);
            frozen.freeze();
            until(heard, 1);
            assertThat(heard.last().fencingToken()).isGreaterThan(token);
            frozen.thaw();
            assertThat(frozen.answerTo("demoted")).isEqualTo("demoted " + token + " LOST");
            assertThat(frozen.ask("leads")).isEqualTo("leads false");
            assertThat(heard.told).containsExactly("elected");
            // It stands again by itself.
            untilStanding(name, 1);
            candidacy.close();
            assertThat(LeaderProcess.token(frozen.answerTo("elected")))
                    .isGreaterThan(heard.last().fencingToken());
        }
    }

    @Test
    void aBriefOutageDemotesNobody() {
        String name = name();
        FaultProxy proxy = proxy();
        Heard heard = new Heard();
        Leasehold client = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(400)));
        Candidacy candidacy = closing(client.leaderElection(name)
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(4)).build())
                .stand(heard));
        until(heard, 1);
        long end = holdEnd(name);
        proxy.swallow();
        // Until the renewal is due and fails: it is due after a third of the lease.
        await().until(() -> serverMicros() > end - 2_000_000);
        assertThat(candidacy.isLeader()).isTrue();
        proxy.heal();
        await().until(() -> serverMicros() > end + 500_000);
        assertThat(candidacy.isLeader()).isTrue();
        assertThat(heard.told).containsExactly("elected");
    }

    @Test
    void anOutageThatOutlastsTheLeaseDemotesAndTheCandidateStandsAgainByItself() {
        String name = name();
        FaultProxy proxy = proxy();
        Heard heard = new Heard();
        Leasehold client = client(
                proxy.uri(),
                builder -> builder.commandTimeout(Duration.ofMillis(400)).outageTolerance(Duration.ofMillis(800)));
        Candidacy candidacy = stand(client, name, heard);
        until(heard, 1);
        long token = heard.last().fencingToken();
        proxy.refuse();
        proxy.reset();
        await().until(() -> heard.told.size() == 2);
        assertThat(heard.told).containsExactly("elected", "LOST");
        assertThat(candidacy.isLeader()).isFalse();
        proxy.heal();
        until(heard, 2);
        assertThat(heard.last().fencingToken()).isGreaterThan(token);
        assertThat(heard.mistake).isEmpty();
    }

    @Test
    void whoStandsWhileRedisDoesNotAnswerIsElectedWhenItDoes() {
        String name = name();
        FaultProxy proxy = proxy();
        Heard heard = new Heard();
        Leasehold client = client(
                proxy.uri(),
                builder -> builder.commandTimeout(Duration.ofMillis(300)).outageTolerance(Duration.ofMillis(600)));
        proxy.swallow();
        try (CapturedLog log = new CapturedLog()) {
            stand(client, name, heard);
            await().until(() ->
                    log.messages().stream().anyMatch(line -> line.contains("cannot stand") && line.contains(name)));
        }
        assertThat(heard.told).isEmpty();
        proxy.heal();
        until(heard, 1);
    }

    @Test
    void whoIsDeposedIsToldAndAnotherLeads() {
        String name = name();
        Heard deposed = new Heard();
        Heard next = new Heard();
        stand(client(), name, deposed);
        until(deposed, 1);
        stand(client(), name, next);
        untilStanding(name, 1);
        assertThat(client().fairLock(name).forceRelease()).isTrue();
        until(next, 1);
        await().until(() -> deposed.told.contains("LOST"));
        assertThat(next.last().fencingToken()).isGreaterThan(deposed.last().fencingToken());
    }

    @Test
    void aListenerThatThrowsLetsAnotherLead() {
        String name = name();
        Heard next = new Heard();
        Heard failing = new Heard() {
            @Override
            public void onElected(Term term) {
                super.onElected(term);
                if (terms.size() == 1) {
                    untilStanding(name, 1);
                }
                throw new IllegalStateException("a test: this one cannot lead");
            }
        };
        Candidacy candidacy = stand(client(), name, failing);
        until(failing, 1);
        stand(client(), name, next);
        until(next, 1);
        await().until(() -> failing.told.size() == 2);
        assertThat(failing.told).containsExactly("elected", "FAILED");
        assertThat(candidacy.isLeader()).isFalse();
        // And stands again.
        untilStanding(name, 1);
    }

    @Test
    void closingTheClientDemotesAndReleases() {
        String name = name();
        String other = name();
        Leasehold client = client();
        Heard leading = new Heard();
        Heard waiting = new Heard();
        Candidacy leader = stand(client, name, leading);
        until(leading, 1);
        Heard elsewhere = new Heard();
        stand(client(), other, elsewhere);
        until(elsewhere, 1);
        stand(client, other, waiting);
        untilStanding(other, 1);
        client.close();
        assertThat(leading.told).containsExactly("elected", "CLOSED");
        assertThat(leader.isLeader()).isFalse();
        assertThat(waiting.told).isEmpty();
        assertThat(holds(name)).isZero();
        assertThat(field(other, "wn")).isEqualTo("null");
        assertThatThrownBy(() -> client.leaderElection(name))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void theListenerMayCloseItsOwnCandidacyAndItsClient() {
        String name = name();
        CompletableFuture<Candidacy> candidacy = new CompletableFuture<>();
        Leasehold client = client();
        Heard heard = new Heard() {
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
        candidacy.complete(stand(client, name, heard));
        await().until(() -> heard.told.size() == 2);
        assertThat(heard.told).containsExactly("elected", "CLOSED");
        isGivenBack(name);
    }

    @Test
    void eachIsToldOfEachTermOnceAndInOrderWhateverHappens() {
        String name = name();
        List<Heard> all = new ArrayList<>();
        List<Candidacy> candidates = new ArrayList<>();
        Leasehold shared = client();
        for (int i = 0; i < 4; i++) {
            all.add(new Heard());
            candidates.add(stand(i < 2 ? shared : client(), name, all.get(i)));
        }
        AtomicInteger round = new AtomicInteger();
        soon().until(() -> {
            for (Candidacy candidacy : candidates) {
                // Read before the key goes: who has just been asked to resign may have no term after it, and would be
                // waited for to be elected again, while another leads.
                long token = candidacy.term().map(Term::fencingToken).orElse(0L);
                if (token != 0 && round.incrementAndGet() % 5 == 0) {
                    server().command("DEL", key(name));
                    await().until(() -> candidacy.term().map(Term::fencingToken).orElse(0L) != token);
                } else {
                    candidacy.resign();
                }
            }
            return round.get() >= 15;
        });
        candidates.forEach(Candidacy::close);
        List<Long> tokens = new ArrayList<>();
        for (Heard heard : all) {
            assertThat(heard.mistake).isEmpty();
            assertThat(heard.told.size()).isEqualTo(2 * heard.terms.size());
            heard.terms.forEach(term -> tokens.add(term.fencingToken()));
        }
        assertThat(tokens).doesNotHaveDuplicates().hasSizeGreaterThan(10);
    }
}
