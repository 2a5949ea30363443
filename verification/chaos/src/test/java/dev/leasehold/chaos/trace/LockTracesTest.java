package dev.leasehold.chaos.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.chaos.check.Level;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockTracesTest {

    private static final Level STANDALONE = new Level("standalone", "aof");
    private static final long MICRO = 1000;

    private final List<Event> events = new ArrayList<>();

    @Test
    void aRequestHasTheTokenThatItsClientLearnsLater() {
        event(5, What.INVOKED, "mutex-0", 0, 900 * MICRO, "100 renewed retains");
        event(7, What.GRANTED, "mutex-0", 1_700_000_000_000_000L, 800 * MICRO, "");

        assertThat(LockTraces.of(events, STANDALONE).lines())
                .containsExactly(
                        "{\"trace\":\"mutex-0\",\"line\":\"asks\",\"at\":0,\"op\":\"w1.0.0\",\"client\":\"w1\",\"lease\":900,"
                                + "\"retains\":true,\"outcome\":\"granted\",\"token\":100000000,\"until\":795}",
                        "{\"trace\":\"mutex-0\",\"line\":\"granted\",\"at\":2,\"op\":\"w1.0.0\",\"client\":\"w1\","
                                + "\"until\":795,\"token\":100000000}");
    }

    @Test
    void onlyFaultsThatLoseDataAreThere() {
        event(5, What.INVOKED, "mutex-0", 0, 900 * MICRO, "100 once");
        fault(6, "0.0", "server-kill");
        fault(8, "1.0", "flushall");

        assertThat(LockTraces.of(events, STANDALONE).lines().subList(1, 3))
                .containsExactly(
                        "{\"trace\":\"mutex-0\",\"line\":\"loses\",\"at\":3,\"fault\":\"flushall\"}",
                        "{\"trace\":\"mutex-0\",\"line\":\"over\",\"at\":4,\"fault\":\"flushall\"}");
        assertThat(LockTraces.of(events, STANDALONE).lines()).hasSize(3);
    }

    @Test
    void aDeathComesAfterWhatTheProcessStillRecorded() {
        event(5, What.INVOKED, "mutex-0", 0, 900 * MICRO, "100 once");
        events.add(new Event(6 * MICRO, "driver", "w1", "", What.KILLED, "", 0, 0, ""));
        event(7, What.BUSY, "mutex-0", 0, 0, "");

        assertThat(LockTraces.of(events, STANDALONE).lines())
                .last()
                .isEqualTo("{\"trace\":\"mutex-0\",\"line\":\"death\",\"at\":2,\"client\":\"w1\"}");
    }

    @Test
    void otherKindsOfLocksAreCounted() {
        event(5, What.INVOKED, "fair-0", 0, 900 * MICRO, "100 once");

        assertThat(LockTraces.of(events, STANDALONE))
                .hasToString("0 locks with 0 acquisitions; not in the model: 1 locks with 1");
    }

    @Test
    void runsThatMoveClocksAreRefused() {
        fault(5, "0.0", "clock-back");

        assertThatThrownBy(() -> LockTraces.of(events, STANDALONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clocks that move");
    }

    private void event(long micros, What what, String lock, long token, long value, String note) {
        events.add(new Event(micros * MICRO, "w1", "0", "w1.0.0", what, lock, token, value, note));
    }

    private void fault(long micros, String id, String kind) {
        events.add(new Event(micros * MICRO, "driver", "", id, What.FAULT_BEGINS, "", 0, 0, kind));
        events.add(new Event((micros + 1) * MICRO, "driver", "", id, What.FAULT_ENDS, "", 0, 0, ""));
    }
}
