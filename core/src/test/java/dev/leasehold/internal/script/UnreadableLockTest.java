package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.InspectLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks that other programs have written: what cannot be read is named, and hides nothing else. */
class UnreadableLockTest {

    private static final String NOW = "1700000000000000";
    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");

    private final ScriptBindings scripts = new ScriptBindings(new TokenMemory(Duration.ofSeconds(1)), true);

    /** Reads a lock with a valid hold, and these fields and values. */
    private InspectLock.State read(String... more) {
        List<String> reply = new ArrayList<>(List.of("lock", NOW, "0", "own", "a1", "last", NOW));
        reply.addAll(List.of("h:a1", NOW + ":5000000:" + NOW, "i:a1", "17@host main"));
        reply.addAll(List.of(more));
        return scripts.read(new InspectLock(KEY, 1), reply).state();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h:b1|x",
                "h:b1|1:2",
                "h:b1|99999999999999999999:1:1",
                "h:b1|1:9223372036854775807:1",
                "h:b1|1700000000000000:9223372036854776:1",
                "q:x|1700000000000000:w:1",
                "q:7|no position",
                "q:7|99999999999999999999:w:1",
                "q:7|1s99999999999:w:1",
                "q:7|1:w:1 99999999999999999999 17@host main",
                "pt|=x",
                "tok|x",
                "tok|99999999999999999999",
                "last|99999999999999999999",
                "last|9223372036854775807",
                "last|9007199254740992",
                "last|-7",
                "last|+7",
                "last|"
            })
    void anEntryThatCannotBeReadIsNamedAndHidesNoOther(String entry) {
        String[] fieldAndValue = entry.split("\\|", -1);
        InspectLock.State state = read(fieldAndValue);
        assertThat(state.holds()).hasSize(1);
        assertThat(state.holds().get(0).holder().pid()).isEqualTo(17);
        assertThat(state.problem()).isEqualTo("cannot be read: '" + fieldAndValue[0] + "'");
    }

    @Test
    void aHolderOfAnotherLanguageHasNoProcessId() {
        InspectLock.State state = read("i:a1", "worker-a@host main");
        assertThat(state.holds().get(0).holder().pid()).isZero();
        assertThat(state.holds().get(0).holder().host()).isEqualTo("host");
        assertThat(state.problem()).isEmpty();
    }

    @Test
    void onlyTheFirstUnreadableEntriesAreNamedAndTheirNamesAreCutAndEscaped() {
        String problem = read("h:\n" + "n".repeat(100), "x", "h:2", "x", "h:3", "x", "h:4", "x", "h:5", "x")
                .problem();
        assertThat(problem)
                .startsWith("cannot be read: ")
                .endsWith(" and 2 more")
                .hasSizeLessThan(100);
        assertThat(problem).doesNotContain("\n");
    }

    @Test
    void fieldsThatWereLeftOutAreCounted() {
        List<String> reply = List.of("lock", NOW, "7", "own", "a1");
        assertThat(scripts.read(new InspectLock(KEY, 1), reply).state().problem())
                .isEqualTo("7 fields are too many or too long to be read");
    }
}
