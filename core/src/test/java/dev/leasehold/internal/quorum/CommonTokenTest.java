package dev.leasehold.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tokens over a quorum in every schedule: three servers with different last tokens, and two clients that acquire, hold
 * and release once. A request takes effect at any time after it was sent, on each server independently, possibly long
 * after the other servers answered.
 */
class CommonTokenTest {

    private static final int SERVERS = 3;
    private static final int CLIENTS = 2;
    private static final Majority MAJORITY = new Majority(SERVERS);

    private static final int ASKING = 0;
    private static final int RAISING = 1;
    private static final int HELD = 2;
    private static final int LEFT = 3;

    private static final int PENDING = -1;
    private static final int REFUSED = -2;

    /** The servers that count as knowing the token of a hold. */
    private enum Knowing {
        GRANTORS,
        /** The first version of the protocol. */
        TAKEN_SERVERS_TOO
    }

    /** The whole state as numbers: of the servers, of the clients, and the issued tokens. */
    private static final class State {
        final int[] last = new int[SERVERS];
        final int[] holder = new int[SERVERS];
        final int[] phase = new int[CLIENTS];
        final int[] token = new int[CLIENTS];
        final int[][] given = new int[CLIENTS][SERVERS];
        final boolean[][] raised = new boolean[CLIENTS][SERVERS];
        int handedOut;
        boolean fell;

        State copy() {
            State copy = new State();
            System.arraycopy(last, 0, copy.last, 0, SERVERS);
            System.arraycopy(holder, 0, copy.holder, 0, SERVERS);
            System.arraycopy(phase, 0, copy.phase, 0, CLIENTS);
            System.arraycopy(token, 0, copy.token, 0, CLIENTS);
            for (int c = 0; c < CLIENTS; c++) {
                System.arraycopy(given[c], 0, copy.given[c], 0, SERVERS);
                System.arraycopy(raised[c], 0, copy.raised[c], 0, SERVERS);
            }
            copy.handedOut = handedOut;
            copy.fell = fell;
            return copy;
        }

        /** Returns the state with one character per number, as all numbers are small. */
        String key() {
            StringBuilder key = new StringBuilder();
            add(key, last);
            add(key, holder);
            add(key, phase);
            add(key, token);
            for (int c = 0; c < CLIENTS; c++) {
                add(key, given[c]);
                for (boolean one : raised[c]) {
                    key.append(one ? 'y' : 'n');
                }
            }
            return key.append(handedOut).append(fell).toString();
        }

        private static void add(StringBuilder key, int[] numbers) {
            for (int number : numbers) {
                key.append((char) ('a' + number));
            }
        }
    }

    private static final class Schedules {
        final Knowing knowing;
        final Set<String> known = new HashSet<>();
        final Deque<State> open = new ArrayDeque<>();
        int falls;
        int second;

        Schedules(Knowing knowing) {
            this.knowing = knowing;
        }

        void explore() {
            for (int first = 0; first < 3; first += 2) {
                for (int next = 0; next < 4; next += 3) {
                    State start = new State();
                    start.last[0] = first;
                    start.last[1] = next;
                    Arrays.fill(start.holder, -1);
                    for (int[] of : start.given) {
                        Arrays.fill(of, PENDING);
                    }
                    visit(start);
                }
            }
            while (!open.isEmpty() && falls == 0) {
                step(open.pop());
            }
        }

        void visit(State state) {
            if (known.add(state.key())) {
                open.push(state);
            }
        }

        void step(State state) {
            if (state.fell) {
                falls++;
                return;
            }
            for (int c = 0; c < CLIENTS; c++) {
                for (int s = 0; s < SERVERS; s++) {
                    onServer(state, c, s);
                }
                decide(state, c);
            }
        }

        private void onServer(State state, int c, int s) {
            if (state.phase[c] == LEFT) {
                // The release arrives; if the acquire has not arrived yet, the server will refuse it.
                if (state.holder[s] == c) {
                    State then = state.copy();
                    then.holder[s] = -1;
                    visit(then);
                }
                return;
            }
            if (state.given[c][s] == PENDING) {
                State then = state.copy();
                if (state.holder[s] < 0) {
                    then.holder[s] = c;
                    then.last[s]++;
                    then.given[c][s] = then.last[s];
                } else {
                    then.given[c][s] = REFUSED;
                }
                visit(then);
            }
            boolean knows =
                    state.given[c][s] >= 0 || knowing == Knowing.TAKEN_SERVERS_TOO && state.given[c][s] == REFUSED;
            if (state.phase[c] == RAISING && knows && !state.raised[c][s]) {
                State then = state.copy();
                then.last[s] = Math.max(then.last[s], state.token[c]);
                then.raised[c][s] = true;
                visit(then);
            }
        }

        private void decide(State state, int c) {
            List<Long> tokens = new ArrayList<>();
            for (int given : state.given[c]) {
                if (given >= 0) {
                    tokens.add((long) given);
                }
            }
            if (state.phase[c] == ASKING && MAJORITY.reached(tokens.size())) {
                State then = state.copy();
                then.phase[c] = RAISING;
                then.token[c] = (int) MAJORITY.token(tokens);
                visit(then);
            }
            if (state.phase[c] == RAISING && MAJORITY.reached(knowing(state, c))) {
                State then = state.copy();
                then.phase[c] = HELD;
                then.fell = state.token[c] <= state.handedOut;
                then.handedOut = state.token[c];
                second += state.handedOut > 0 ? 1 : 0;
                visit(then);
            }
            if (state.phase[c] == HELD || state.phase[c] == RAISING) {
                State then = state.copy();
                then.phase[c] = LEFT;
                visit(then);
            }
        }

        private int knowing(State state, int c) {
            int count = 0;
            for (int s = 0; s < SERVERS; s++) {
                boolean granted = state.given[c][s] >= 0;
                boolean counts = granted || knowing == Knowing.TAKEN_SERVERS_TOO;
                if (counts && (state.raised[c][s] || (granted && state.given[c][s] >= state.token[c]))) {
                    count++;
                }
            }
            return count;
        }
    }

    @Test
    void theTokenRisesInEverySchedule() {
        Schedules all = new Schedules(Knowing.GRANTORS);
        all.explore();
        assertThat(all.falls).as("of %s states", all.known.size()).isZero();
        assertThat(all.second).as("how often a second token was issued").isGreaterThan(1000);
    }

    /** A client that was granted one server early, and was delayed on the others, gets a lower token. */
    @Test
    void theTokenWouldFallIfServersHeldByAnotherClientCountedAsKnowingIt() {
        Schedules all = new Schedules(Knowing.TAKEN_SERVERS_TOO);
        all.explore();
        assertThat(all.falls).isPositive();
    }
}
