package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {

    private final OpenStreams open = new OpenStreams();

    private static ConsoleSession reader(String user) {
        return new ConsoleSession(user, false, Map.of());
    }

    private static ConsoleSession operator(String user) {
        return new ConsoleSession(user, true, Map.of());
    }

    /** Returns how many of 20 streams may be opened. */
    private int enter(ConsoleSession session) {
        int entered = 0;
        for (int i = 0; i < 20; i++) {
            entered += open.enter(session) ? 1 : 0;
        }
        return entered;
    }

    @Test
    void oneUserHasAFewOnly() {
        assertThat(enter(reader("ulf"))).isEqualTo(6);
        assertThat(enter(reader("carl"))).isEqualTo(6);
        assertThat(enter(operator("olga"))).isEqualTo(4);
    }

    @Test
    void aCrowdOfReadersLeavesSomeToOperators() {
        int readers = 0;
        for (int i = 0; i < 20; i++) {
            readers += open.enter(reader("reader " + i)) ? 1 : 0;
        }
        assertThat(readers).isEqualTo(12);
        assertThat(enter(operator("olga"))).isEqualTo(4);
    }

    @Test
    void usersWithoutNamesShareAll() {
        assertThat(enter(ConsoleSession.unnamed(false))).isEqualTo(16);
        assertThat(open.enter(ConsoleSession.unnamed(true))).isFalse();
    }

    @Test
    void aClosedStreamMakesRoomForOneOfTheSameUser() {
        enter(reader("ulf"));
        open.leave(reader("ulf"));
        assertThat(enter(reader("ulf"))).isEqualTo(1);
    }
}
