package dev.leasehold.internal.scriptfree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that a dialogue sends for given replies; the contracts test it against a real server. */
class PlainDialogueTest {

    private static final List<Object> CLOCK = List.of("1700000000", "42");
    private static final ServerTime NOW = new ServerTime(1_700_000_000_000_042L);
    private static final AcquisitionId ID = new AcquisitionId("id");
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

    private <A> PlainDialogue<A> dialogue(PlainOperation<A> operation) {
        return new PlainDialogue<>("k", SECOND, operation, time);
    }

    private PlainDialogue<AcquireHold.Answer> acquire() {
        return acquire(NOW);
    }

    private PlainDialogue<AcquireHold.Answer> acquire(ServerTime notAfter) {
        return dialogue(PlainOperation.acquire(new AcquireHold(
                PlainKey.of("k"),
                ID,
                OwnerKey.anonymous(ID),
                new LeaseSpan(SECOND),
                notAfter,
                new TokenFloor(0),
                new Holder("1@host", "main\nthread", "label"),
                Waiter.NONE,
                SECOND)));
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
        PlainDialogue<AcquireHold.Answer> dialogue = acquire();
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
                        List.of("SET", "k", "id 1700000000000042 1@host main thread\nlabel", "NX", "PX", "1001"),
                        List.of("PTTL", "k"),
                        List.of("EXEC"));
        assertThat(dialogue.next(Arrays.asList("OK", "QUEUED", "QUEUED", Arrays.asList("OK", 1001L))))
                .isEmpty();
        assertThat(dialogue.answer()).isEqualTo(new AcquireHold.Answer(AcquireHold.Code.GRANTED, NOW, SECOND, 0, ""));
    }

    @Test
    void aKeyThatHasChangedIsReadAgainButNotForever() {
        PlainDialogue<AcquireHold.Answer> dialogue = acquire();
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
        PlainDialogue<AcquireHold.Answer> dialogue = acquire();
        dialogue.next(List.of());
        assertThat(dialogue.next(refused("NOPERM to run the 'multi' command"))).containsExactly(List.of("UNWATCH"));
        assertThat(dialogue.next(List.of("OK"))).isEmpty();
        assertThatThrownBy(dialogue::answer)
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("multi");
    }

    @Test
    void aRefusedTransactionReportsTheCauseAndNotItsConsequences() {
        PlainDialogue<AcquireHold.Answer> dialogue = acquire();
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
        PlainDialogue<AcquireHold.Answer> dialogue = acquire();
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
        PlainDialogue<AcquireHold.Answer> late = acquire(new ServerTime(NOW.micros() - 1));
        late.next(List.of());
        assertThat(late.next(found(null, -2))).containsExactly(List.of("UNWATCH"));
        assertThat(late.answer()).isEqualTo(new AcquireHold.Answer(AcquireHold.Code.STALE, NOW, 0, 0, ""));
        PlainDialogue<AcquireHold.Answer> busy = acquire();
        busy.next(List.of());
        busy.next(found("id2 x", 500));
        assertThat(busy.answer()).isEqualTo(new AcquireHold.Answer(AcquireHold.Code.BUSY, NOW, 499_000_000, 0, ""));
    }

    private List<List<String>> renewing(LeaseSpan lease, long left) {
        PlainDialogue<RenewHold.Answer> dialogue = dialogue(PlainOperation.renew(ID, lease));
        dialogue.next(List.of());
        return dialogue.next(found("id x", left));
    }

    @Test
    void aRenewalNeverLowersAnEndAndSetsOneThatIsMissing() {
        List<String> longer = List.of("PEXPIRE", "k", "1001");
        LeaseSpan second = new LeaseSpan(SECOND);
        assertThat(renewing(second, 300)).contains(longer);
        assertThat(renewing(second, -1)).contains(longer);
        assertThat(renewing(second, 5000)).containsExactly(List.of("MULTI"), List.of("PTTL", "k"), List.of("EXEC"));
        assertThat(renewing(LeaseSpan.CONFIRM, 300))
                .containsExactly(List.of("MULTI"), List.of("PTTL", "k"), List.of("EXEC"));
    }

    @Test
    void aReleaseChangesAFreeKeySoThatADelayedAcquireIsRefused() {
        PlainDialogue<ReleaseHold.Answer> dialogue = dialogue(new PlainOperation.Release(ID));
        dialogue.next(List.of());
        assertThat(dialogue.next(found(null, -2)))
                .containsExactly(
                        List.of("MULTI"), List.of("SET", "k", "id", "PX", "1"), List.of("DEL", "k"), List.of("EXEC"));
        dialogue.next(List.of("OK", "QUEUED", "QUEUED", List.of("OK", 1L)));
        assertThat(dialogue.answer()).isEqualTo(new ReleaseHold.Answer(ReleaseHold.Code.GONE, NOW, "free"));
    }

    @Test
    void anInspectionChangesNothingAndReadsTheHolder() {
        PlainDialogue<InspectLock.Answer> dialogue = dialogue(new PlainOperation.Inspect());
        dialogue.next(List.of());
        assertThat(dialogue.next(found("id 1700000000000001 1@host main\nlabel", 500)))
                .containsExactly(List.of("UNWATCH"));
        InspectLock.Hold hold = dialogue.answer().state().holds().get(0);
        assertThat(hold.self()).isEqualTo(OwnerKey.anonymous(ID));
        assertThat(hold.leftNanos()).isEqualTo(499_000_000);
        assertThat(hold.holder().label()).isEqualTo("label");
    }
}
