package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Two processes have a lock each, as Redis knows. Whether their threads wait for each other, only they know; but whoever may publish can
 * answer for them, and hears what they answer to others.
 */
class ForgedAnswersTest {

    private static final LockKey A = new LockKey("lh:{a}");
    private static final LockKey B = new LockKey("lh:{b}");
    private static final String ONE = "1@host";
    private static final String TWO = "2@host";

    /** The ids of the holds, which Redis has and no message tells. */
    private static final Map<String, String> IDS = Map.of(ONE, "secret id one", TWO, "secret id two");

    private static InspectLock.State heldBy(String process) {
        InspectLock.Hold hold =
                new InspectLock.Hold(OwnerKey.read(IDS.get(process)), null, 1, 1, new Holder(process, "worker", ""));
        InspectLock.Waiting waiting = new InspectLock.Waiting(
                false, 0, true, null, new Holder(process.equals(ONE) ? TWO : ONE, "worker", ""), null);
        return new InspectLock.State(hold.self(), List.of(hold), 1, false, false, 0, false, List.of(waiting), "");
    }

    /** What a process says whose thread has a lock and waits for the other one. */
    private static WaitReport report(String process) {
        boolean one = process.equals(ONE);
        long thread = one ? 11 : 22;
        LeaseEntry waits = new LeaseEntry(
                true,
                "w" + thread,
                "",
                (one ? B : A).key(),
                LockKind.STANDARD,
                WaiterInfo.Wants.LOCK,
                1,
                thread,
                "worker",
                "");
        LeaseEntry holds = new LeaseEntry(
                false,
                "l" + thread,
                LeaseEntry.nameOf(IDS.get(process)),
                (one ? A : B).key(),
                LockKind.STANDARD,
                WaiterInfo.Wants.LOCK,
                1,
                thread,
                "worker",
                "");
        return new WaitReport(process, List.of(waits, holds), Map.of(), ReportProofs.NONE);
    }

    private static String genuine(String process, String question) {
        return report(process).text(question, List.of(IDS.get(process)));
    }

    private static String unproved(String process, String question) {
        return report(process).text(question, List.of());
    }

    /** Answers each question with these texts. */
    private record Answers(UnaryOperator<String> one, UnaryOperator<String> two, AtomicInteger asked)
            implements WaitSource {
        @Override
        public Map<String, List<WaitReport>> ask(Collection<String> processes, Map<String, Set<Long>> threads) {
            String question = "question" + asked.incrementAndGet();
            Map<String, List<WaitReport>> reports = new HashMap<>();
            for (String process : processes) {
                String text = (process.equals(ONE) ? one : two).apply(question);
                reports.put(process, List.of(Objects.requireNonNull(WaitReport.read(question, text))));
            }
            return reports;
        }

        @Override
        public Map<LockKey, InspectLock.State> read(Collection<LockKey> keys) {
            Map<LockKey, InspectLock.State> states = new HashMap<>(Map.of(A, heldBy(ONE), B, heldBy(TWO)));
            states.keySet().retainAll(keys);
            return states;
        }
    }

    private static Deadlock deadlock(UnaryOperator<String> one, UnaryOperator<String> two) {
        List<Deadlock> found = WaitGraphReader.graph(
                        new Answers(one, two, new AtomicInteger()), List.of(ONE, TWO), List.of(A, B))
                .deadlocks();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void whatBothProcessesTellIsCertain() {
        assertThat(deadlock(question -> genuine(ONE, question), question -> genuine(TWO, question))
                        .certain())
                .isTrue();
    }

    @Test
    void whatAStrangerTellsForOneOfThemIsOnlyPossible() {
        assertThat(deadlock(question -> genuine(ONE, question), question -> unproved(TWO, question))
                        .certain())
                .isFalse();
        assertThat(deadlock(question -> unproved(ONE, question), question -> unproved(TWO, question))
                        .certain())
                .isFalse();
    }

    @Test
    void anAnswerToAnotherQuestionProvesNothing() {
        String heard = genuine(TWO, "another");
        assertThat(deadlock(question -> genuine(ONE, question), question -> heard.replaceFirst("another", question))
                        .certain())
                .isFalse();
        String proof = heard.substring(heard.indexOf("\np "));
        assertThat(deadlock(question -> genuine(ONE, question), question -> unproved(TWO, question) + proof)
                        .certain())
                .isFalse();
    }

    @Test
    void aProofByTheWrongHoldProvesNothing() {
        assertThat(deadlock(
                                question -> genuine(ONE, question),
                                question -> report(TWO).text(question, List.of("a guess", IDS.get(ONE))))
                        .certain())
                .isFalse();
    }

    /** The second look must be proved as the first: else a stranger could confirm what only the first look saw. */
    @Test
    void whatAStrangerConfirmsIsOnlyPossible() {
        List<String> asked = new ArrayList<>();
        UnaryOperator<String> two = question -> {
            asked.add(question);
            return asked.size() == 1 ? genuine(TWO, question) : unproved(TWO, question);
        };
        assertThat(deadlock(question -> genuine(ONE, question), two).certain()).isFalse();
        assertThat(asked).hasSize(2);
    }
}
