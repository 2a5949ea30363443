package dev.leasehold.internal.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The life of a candidate, step by step: what it sends, what its listener is told, and when it stands again. */
class CandidateTest {

    private final EngineRig rig = new EngineRig();
    private final List<String> told = new ArrayList<>();
    private final List<Term> terms = new ArrayList<>();
    private Runnable whenElected = () -> {};
    private Runnable whenDemoted = () -> {};

    private final LeaderListener listener = new LeaderListener() {
        @Override
        public void onElected(Term term) {
            terms.add(term);
            told.add("elected");
            whenElected.run();
        }

        @Override
        public void onDemoted(Term term, DemotionReason reason) {
            assertThat(term).isSameAs(terms.get(terms.size() - 1));
            told.add(reason.toString());
            whenDemoted.run();
        }
    };

    private LeaderElection election() {
        return election(rig.engine);
    }

    private int asked() {
        return rig.redis.sent("acquire").size();
    }

    @Test
    void whoIsElectedLeadsByItsLeaseWhichIsRenewed() {
        Candidacy candidacy = election().stand(listener);
        assertThat(told).containsExactly("elected");
        assertThat(candidacy.isLeader()).isTrue();
        assertThat(candidacy.term()).containsSame(terms.get(0));
        rig.pass(Duration.ofHours(1));
        assertThat(candidacy.isLeader()).isTrue();
        assertThat(told).hasSize(1);
        assertThat(asked()).isEqualTo(1);
        // To lead for long is no mistake.
        assertThat(rig.heldLong).isEmpty();
    }

    /** It may stand for days, and an alert on long waits must not fire for that. */
    @Test
    void aCandidateIsNoWaiterToThoseWhoMeasure() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "1"));
        Candidacy candidacy = election().stand(listener);
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked()).isGreaterThan(1);
        assertThat(rig.waiting).isEmpty();
        candidacy.close();
        assertThat(rig.waitEnded).isEmpty();
    }

    @Test
    void onlyALeaseThatEndsDemotesAndTheCandidateStandsAgainAfterItsListenerHasHeard() {
        Candidacy candidacy = election().stand(listener);
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.redis.fails("renew_many", new TransportException("down", false, null));
        rig.redis.fails("release", new TransportException("down", false, null));
        rig.redis.silent("acquire");
        rig.pass(Duration.ofSeconds(25));
        assertThat(told).containsExactly("elected");
        assertThat(candidacy.isLeader()).isTrue();
        whenDemoted = () -> {
            assertThat(candidacy.isLeader()).isFalse();
            assertThat(asked()).isEqualTo(1);
        };
        rig.pass(Duration.ofSeconds(10));
        assertThat(told).containsExactly("elected", "LOST");
        assertThat(asked()).isGreaterThan(1);
    }

    @Test
    void whoResignsIsToldBeforeTheLockIsFreeAndStandsAgain() {
        Candidacy candidacy = election().stand(listener);
        whenDemoted = () -> {
            assertThat(candidacy.isLeader()).isFalse();
            assertThat(terms.get(0).isHeld()).as("for its last writes").isTrue();
            assertThat(rig.redis.sent("release")).isEmpty();
        };
        candidacy.resign();
        assertThat(told).containsExactly("elected", "RESIGNED", "elected");
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(terms.get(0).isHeld()).isFalse();
        assertThat(candidacy.isLeader()).isTrue();
    }

    @Test
    void whoDoesNotLeadCannotResign() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        Candidacy candidacy = election().stand(listener);
        candidacy.resign();
        candidacy.resign();
        assertThat(told).isEmpty();
        assertThat(rig.redis.sent("leave")).isEmpty();
        assertThat(candidacy.term()).isEmpty();
    }

    @Test
    void whoIsClosedIsToldAndReleasesAndStandsNoMore() {
        Candidacy candidacy = election().stand(listener);
        candidacy.close();
        candidacy.close();
        candidacy.resign();
        assertThat(told).containsExactly("elected", "CLOSED");
        assertThat(rig.redis.sent("release")).hasSize(1);
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void whoIsClosedWhileItWaitsGivesItsPlaceBackAndIsToldNothing() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        election().stand(listener).close();
        assertThat(told).isEmpty();
        assertThat(rig.redis.sent("leave")).hasSize(1);
        int before = asked();
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked()).isEqualTo(before);
    }

    @Test
    void theListenerMayCloseAndResign() {
        Candidacy[] candidacy = new Candidacy[1];
        int[] terms = {0};
        whenElected = () -> {
            if (++terms[0] == 2) {
                candidacy[0].resign();
            } else if (terms[0] == 3) {
                candidacy[0].close();
            }
        };
        candidacy[0] = election().stand(listener);
        candidacy[0].resign();
        assertThat(told).containsExactly("elected", "RESIGNED", "elected", "RESIGNED", "elected", "CLOSED");
    }

    @Test
    void aListenerThatThrowsGivesTheTermUpAndStandsAgainAfterAPause() {
        int[] throwing = {1};
        whenElected = () -> {
            if (throwing[0]-- > 0) {
                throw new IllegalArgumentException("a test: cannot lead");
            }
        };
        whenDemoted = () -> {
            throw new IllegalArgumentException("a test: cannot stop");
        };
        Candidacy candidacy = election().stand(listener);
        assertThat(told).containsExactly("elected", "FAILED");
        assertThat(rig.redis.sent("release")).hasSize(1);
        rig.pass(Duration.ofMillis(700));
        assertThat(asked()).isEqualTo(1);
        rig.pass(Duration.ofMillis(600));
        assertThat(told).containsExactly("elected", "FAILED", "elected");
        candidacy.close();
        assertThat(told).endsWith("CLOSED");
    }

    @Test
    void redisThatIsDownAtTheStartIsAskedUntilItAnswers() {
        rig.redis.fails("acquire", new TransportException("down", false, null));
        Candidacy candidacy = election().stand(listener);
        rig.pass(Duration.ofMinutes(10));
        assertThat(told).isEmpty();
        assertThat(candidacy.isLeader()).isFalse();
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros())));
        rig.pass(Duration.ofSeconds(15));
        assertThat(told).containsExactly("elected");
    }

    @Test
    void aRefusalIsTriedAgainLessAndLessOften() {
        rig.redis.fails("acquire", new RedisErrorException("NOPERM this user has no permissions"));
        Candidacy candidacy = election().stand(listener);
        rig.pass(Duration.ofSeconds(8));
        assertThat(asked()).isBetween(3, 5);
        int before = asked();
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked() - before).isBetween(6, 11);
        candidacy.close();
        before = asked();
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked()).isEqualTo(before);
        assertThat(told).isEmpty();
    }

    @Test
    void aListenerThatDoesNotReturnHoldsTheLockForOneLeaseAtTheMost() {
        List<Runnable> queued = new ArrayList<>();
        Engine engine = new Engine(rig.parts(rig.redis, Runnable::run, queued::add, true, EngineRig.limits()));
        Candidacy candidacy = election(engine).stand(listener);
        drain(queued);
        assertThat(told).containsExactly("elected");
        candidacy.resign();
        // What would tell it does not run: its listener has not returned from the last call.
        queued.remove(0);
        rig.pass(Duration.ofSeconds(29));
        drain(queued);
        assertThat(rig.redis.sent("release")).isEmpty();
        rig.pass(Duration.ofSeconds(1));
        drain(queued);
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(told).containsExactly("elected");
    }

    private static void drain(List<Runnable> queued) {
        while (!queued.isEmpty()) {
            queued.remove(0).run();
        }
    }

    @Test
    void anExecutorThatRefusesEndsTheCandidacyAndNothingStaysHeld() {
        boolean[] refuses = {false};
        Engine engine = new Engine(rig.parts(
                rig.redis,
                Runnable::run,
                task -> {
                    if (refuses[0]) {
                        throw new RejectedExecutionException("a test");
                    }
                    task.run();
                },
                true,
                EngineRig.limits()));
        Candidacy candidacy = election(engine).stand(listener);
        refuses[0] = true;
        candidacy.resign();
        assertThat(told).containsExactly("elected");
        assertThat(rig.redis.sent("release")).hasSize(1);
        rig.pass(Duration.ofMinutes(1));
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void standingIsRefusedOnceTheClientIsClosed() {
        LeaderElection election = election();
        rig.engine.shutDown();
        assertThatThrownBy(() -> election.stand(listener))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void standingIsRefusedWhileTheClientIsBeingClosed() {
        Candidates elections = rig.engine.candidates();
        LeaderElection election =
                elections.of(rig.engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS), EngineRig.OPTIONS);
        Candidacy before = election.stand(listener);
        elections.closeAll();
        assertThatThrownBy(() -> election.stand(listener))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(elections.allDemoted()).isTrue();
        assertThat(rig.engine.quiet()).isTrue();
        assertThat(before.isLeader()).isFalse();
        assertThat(told).containsExactly("elected", "CLOSED");
    }

    @Test
    void pollingIsRefused() {
        LeaderElection election = election();
        LockOptions polling =
                LockOptions.builder().waitStrategy(WaitStrategy.polling()).build();
        assertThatThrownBy(() -> election.with(polling)).isInstanceOf(IllegalArgumentException.class);
    }

    private static LeaderElection election(Engine engine) {
        return engine.candidates().of(engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS), EngineRig.OPTIONS);
    }
}
