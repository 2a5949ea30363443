package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transition table of a lease: the next state for every state and event. A dash is an edge that does not exist. */
class TransitionsTest {

    private static final String TABLE = """
            event             | ACQUIRING | UNKNOWN  | HELD        | UNCONFIRMED | SUSPECT   | RELEASING | RELEASED | LOST
            GRANTED           | HELD      | -        | -           | -           | -         | -         | -        | -
            GAVE_UP           | RELEASED  | -        | -           | -           | -         | -         | -        | -
            OUTCOME_UNKNOWN   | UNKNOWN   | -        | -           | -           | -         | -         | -        | -
            COMPENSATED       | -         | RELEASED | -           | -           | -         | -         | -        | -
            CONFIRMED         | -         | -        | HELD        | HELD        | HELD      | RELEASING | RELEASED | LOST
            UNANSWERED        | -         | -        | UNCONFIRMED | UNCONFIRMED | SUSPECT   | RELEASING | RELEASED | LOST
            CLOCK_JUMPED      | -         | -        | SUSPECT     | SUSPECT     | SUSPECT   | RELEASING | RELEASED | LOST
            DISOWNED          | -         | -        | LOST        | LOST        | LOST      | RELEASING | RELEASED | LOST
            DEADLINE_PASSED   | -         | -        | LOST        | LOST        | LOST      | RELEASING | RELEASED | LOST
            RELEASE_CALLED    | -         | -        | RELEASING   | RELEASING   | RELEASING | RELEASING | RELEASED | LOST
            RELEASE_CONFIRMED | -         | -        | -           | -           | -         | RELEASED  | -        | -
            RELEASE_DENIED    | -         | -        | -           | -           | -         | LOST      | -        | -
            """;

    /** One cell of the table. */
    record Edge(LeaseState state, LeaseEvent event, String next) {}

    static Stream<Edge> edges() {
        List<Edge> edges = new ArrayList<>();
        List<String[]> rows = TABLE.lines().map(line -> line.split("\\|")).toList();
        String[] states = rows.get(0);
        for (String[] row : rows.subList(1, rows.size())) {
            for (int i = 1; i < states.length; i++) {
                edges.add(new Edge(
                        LeaseState.valueOf(states[i].strip()), LeaseEvent.valueOf(row[0].strip()), row[i].strip()));
            }
        }
        return edges.stream();
    }

    @Test
    void theTableHasEveryStateAndEveryEvent() {
        assertThat(edges())
                .hasSize(LeaseState.values().length * LeaseEvent.values().length)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("edges")
    void everyEdgeIsAsListed(Edge edge) {
        if (edge.next().equals("-")) {
            assertThatThrownBy(() -> Transitions.next(edge.state(), edge.event()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(edge.state().name())
                    .hasMessageContaining(edge.event().name());
        } else {
            assertThat(Transitions.next(edge.state(), edge.event())).isEqualTo(LeaseState.valueOf(edge.next()));
        }
    }

    @Test
    void anEndedLeaseStaysEnded() {
        Set<LeaseState> ended = Set.of(LeaseState.RELEASED, LeaseState.LOST);
        assertThat(edges().filter(edge ->
                        ended.contains(edge.state()) && !edge.next().equals("-")))
                .allSatisfy(
                        edge -> assertThat(edge.next()).isEqualTo(edge.state().name()));
    }

    @Test
    void noEventLeadsFromAReleaseBackToAHold() {
        Set<String> holding = Set.of("HELD", "UNCONFIRMED", "SUSPECT");
        assertThat(edges().filter(edge ->
                        Arrays.asList(LeaseState.RELEASING, LeaseState.UNKNOWN).contains(edge.state())))
                .noneSatisfy(edge -> assertThat(holding).contains(edge.next()));
    }
}
