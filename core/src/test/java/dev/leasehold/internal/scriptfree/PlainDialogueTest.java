package dev.leasehold.internal.scriptfree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that a dialogue sends for given replies; the contracts test it against a real server. */
class PlainDialogueTest {

    private static final List<Object> CLOCK = List.of("1700000000", "42");
    private static final String NOW = "1700000000000042";
    private static final long SECOND = 1_000_000_000;

    private long nanos;

    private final TimeSource time = new TimeSource() {
        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };

    private PlainDialogue dialogue(Script script, String... args) {
        ScriptCall call = new ScriptCall(script, List.of("k"), List.of(args), SECOND);
        return new PlainDialogue(call, "k", PlainOperation.of(call, 0), time);
    }

    private PlainDialogue acquire() {
        return dialogue(PlainScripts.ACQUIRE, "id", "1000000", NOW, "1@host main", "label");
    }

    private static List<Object> found(Object value, long left) {
        return Arrays.asList("OK", List.of(), "OK", CLOCK, value, left, value == null ? "none" : "string");
    }

    private static List<Object> refused(String error) {
        List<Object> replies = new ArrayList<>(found(null, -2));
        replies.set(0, new RedisErrorException(error));
        return replies;
    }

    @Test
    void itReadsUnderAWatchAndActsInATransaction() {
        PlainDialogue dialogue = acquire();
        assertThat(dialogue.next(List.of()))
                .containsExactly(
                        List.of("MULTI"),
                        List.of("EXEC"),
                        List.of("WATCH", "k"),
                        List.of("TIME"),
                        List.of("GET", "k"),
                        List.of("PTTL", "k"),
                        List.of("TYPE", "k"));
        assertThat(dialogue.next(found(null, -2)))
                .containsExactly(
                        List.of("MULTI"),
                        List.of("SET", "k", "id " + NOW + " 1@host main\nlabel", "NX", "PX", "1001"),
                        List.of("PTTL", "k"),
                        List.of("EXEC"));
        assertThat(dialogue.next(Arrays.asList("OK", "QUEUED", "QUEUED", Arrays.asList("OK", 1001L))))
                .isEmpty();
        assertThat(dialogue.answer()).containsExactly("granted", NOW, "1000000");
    }

    @Test
    void aKeyThatHasChangedIsReadAgainButNotForever() {
        PlainDialogue dialogue = acquire();
        List<List<String>> state = dialogue.next(List.of());
        for (int i = 0; i < 9; i++) {
            assertThat(dialogue.next(found(null, -2))).hasSize(4);
            assertThat(dialogue.next(Arrays.asList("OK", "QUEUED", "QUEUED", null)))
                    .isEqualTo(state);
        }
        assertThat(dialogue.next(found(null, -2))).hasSize(4);
        assertThat(dialogue.next(Arrays.asList("OK", "QUEUED", "QUEUED", null))).isEmpty();
        assertThatThrownBy(dialogue::answer)
                .isInstanceOf(RedisErrorException.class)
                .hasMessageStartingWith("TRYAGAIN");
    }

    @Test
    void ifTransactionsAreRefusedNothingIsDone() {
        PlainDialogue dialogue = acquire();
        dialogue.next(List.of());
        assertThat(dialogue.next(refused("NOPERM to run the 'multi' command"))).containsExactly(List.of("UNWATCH"));
        assertThat(dialogue.next(List.of("OK"))).isEmpty();
        assertThatThrownBy(dialogue::answer)
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("multi");
    }

    @Test
    void aRefusedTransactionReportsTheCauseAndNotItsConsequences() {
        PlainDialogue dialogue = acquire();
        dialogue.next(List.of());
        dialogue.next(found(null, -2));
        assertThat(dialogue.next(List.of(
                        "OK",
                        new RedisErrorException("OOM command not allowed"),
                        "QUEUED",
                        new RedisErrorException("EXECABORT Transaction discarded"))))
                .isEmpty();
        assertThatThrownBy(dialogue::answer).hasMessageStartingWith("OOM");
    }

    @Test
    void aDialoguePastItsTimeoutDoesNotAct() {
        PlainDialogue dialogue = acquire();
        dialogue.next(List.of());
        nanos = SECOND;
        assertThat(dialogue.next(found(null, -2))).containsExactly(List.of("UNWATCH"));
        dialogue.next(List.of("OK"));
        assertThatThrownBy(dialogue::answer)
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
    }

    @Test
    void anAcquireIsRefusedIfItIsLateOrTheKeyIsAnothers() {
        PlainDialogue late = dialogue(PlainScripts.ACQUIRE, "id", "1000000", "1700000000000041", "", "");
        late.next(List.of());
        assertThat(late.next(found(null, -2))).containsExactly(List.of("UNWATCH"));
        assertThat(late.answer()).containsExactly("stale", NOW);
        PlainDialogue busy = acquire();
        busy.next(List.of());
        busy.next(found("id2 x", 500));
        assertThat(busy.answer()).containsExactly("busy", NOW, "499000");
    }

    private List<List<String>> renewing(String lease, long left) {
        PlainDialogue dialogue = dialogue(PlainScripts.RENEW, "id", lease);
        dialogue.next(List.of());
        return dialogue.next(found("id x", left));
    }

    @Test
    void aRenewalNeverLowersAnEndAndSetsOneThatIsMissing() {
        List<String> longer = List.of("PEXPIRE", "k", "1001");
        assertThat(renewing("1000000", 300)).contains(longer);
        assertThat(renewing("1000000", -1)).contains(longer);
        assertThat(renewing("1000000", 5000)).containsExactly(List.of("MULTI"), List.of("PTTL", "k"), List.of("EXEC"));
        assertThat(renewing("0", 300)).containsExactly(List.of("MULTI"), List.of("PTTL", "k"), List.of("EXEC"));
    }

    @Test
    void aReleaseChangesAFreeKeySoThatADelayedAcquireIsRefused() {
        PlainDialogue dialogue = dialogue(PlainScripts.RELEASE, "id");
        dialogue.next(List.of());
        assertThat(dialogue.next(found(null, -2)))
                .containsExactly(
                        List.of("MULTI"), List.of("SET", "k", "id", "PX", "1"), List.of("DEL", "k"), List.of("EXEC"));
        dialogue.next(List.of("OK", "QUEUED", "QUEUED", List.of("OK", 1L)));
        assertThat(dialogue.answer()).containsExactly("gone", NOW, "free");
    }

    @Test
    void scriptsOfOtherLocksAreRefused() {
        assertThatThrownBy(() -> dialogue(new Script("acquire", "", "")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("acquire");
    }
}
