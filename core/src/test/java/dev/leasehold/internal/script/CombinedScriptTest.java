package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CombinedScriptTest {

    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofSeconds(60)), true);
    private static final LeaseSpan LEASE = new LeaseSpan(1_000_000);
    private static final ServerTime NOW = new ServerTime(1_790_000_000_000_000L);

    private static LockKey key(String name) {
        return LockKey.of(new KeyPrefix("leasehold"), name);
    }

    private static AcquireFreeLock acquire(String name) {
        return new AcquireFreeLock(
                key(name),
                new AcquisitionId("id-" + name),
                LEASE,
                new ServerTime(4),
                new TokenFloor(0),
                new Holder("17@host", "main", ""),
                1);
    }

    private static ReleaseHold release(LockKey key, boolean lean, ServerTime notAfter, LeaseSpan longest) {
        return new ReleaseHold(key, new AcquisitionId("id"), longest, lean, notAfter, 1);
    }

    private static final CombinedScript.Request REQUEST = new CombinedScript.Request(
            List.of(acquire("a"), acquire("b")),
            List.of(release(key("c"), true, ServerTime.NONE, LEASE), release(key("d"), true, ServerTime.NONE, LEASE)),
            1);

    private static CombinedScript.Answer read(String reply) {
        return SCRIPTS.read(REQUEST, List.of(reply));
    }

    @Test
    void theShortAnswerIsThatOfEveryEntry() {
        CombinedScript.Answer answer = read("all " + NOW.micros());
        assertThat(answer.acquired())
                .hasSize(2)
                .containsOnly(new AcquireHold.Answer(AcquireHold.Code.GRANTED, NOW, LEASE.nanos(), NOW.micros(), ""));
        assertThat(answer.released())
                .hasSize(2)
                .containsOnly(Optional.of(new ReleaseHold.Answer(ReleaseHold.Code.RELEASED, NOW, "")));
    }

    @Test
    void otherwiseEachEntryHasItsOwn() {
        CombinedScript.Answer answer = read("each " + NOW.micros() + " undecided busy:7 undecided released");
        assertThat(answer.acquired())
                .extracting(AcquireHold.Answer::code)
                .containsExactly(AcquireHold.Code.UNDECIDED, AcquireHold.Code.BUSY);
        assertThat(answer.acquired().get(1).leftNanos()).isEqualTo(7000);
        assertThat(answer.released().get(0)).isEmpty();
        assertThat(answer.released().get(1)).isPresent();
    }

    @Test
    void anAnswerThatIsTooShortTooLongOrUnknownIsRefused() {
        for (String words : List.of("", " granted", " granted granted released released released")) {
            assertThatThrownBy(() -> read("each " + NOW.micros() + words)).hasMessageContaining("to 4 entries");
        }
        assertThatThrownBy(() -> read("all " + NOW.micros() + " granted")).hasMessageContaining("to 4 entries");
        assertThatThrownBy(() -> read("each " + NOW.micros() + " granted granted released surprise"))
                .hasMessageContaining("surprise");
        assertThatThrownBy(() -> read("each " + NOW.micros() + " released granted released released"))
                .hasMessageContaining("released");
    }

    @Test
    void onlyTheTwoUsualRequestsAreCombined() {
        LeaseSpan overHalfOfTheTokenMemory = new LeaseSpan(30_000_000_001L);
        assertThat(SCRIPTS.combines(acquire("a"))).isTrue();
        assertThat(SCRIPTS.combines(release(key("a"), true, ServerTime.NONE, LEASE)))
                .isTrue();
        assertThat(SCRIPTS.combines(release(key("a"), false, ServerTime.NONE, LEASE)))
                .isFalse();
        assertThat(SCRIPTS.combines(release(key("a"), true, new ServerTime(1), LEASE)))
                .isFalse();
        assertThat(SCRIPTS.combines(release(key("a"), true, ServerTime.NONE, overHalfOfTheTokenMemory)))
                .isFalse();
        assertThat(SCRIPTS.combines(release(PlainKey.of("a"), true, ServerTime.NONE, LEASE)))
                .isFalse();
        assertThat(SCRIPTS.combines(new InspectLock(key("a"), 1))).isFalse();
    }
}
