package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LossNoticeTest {

    private static final LossEvent LOSS = new LossEvent("a", "me", 7, LossCause.DELETED, Duration.ZERO, null, false);

    private final LossNotice notice = new LossNotice();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void notifiesEachListenerOnceWhetherItWasAddedBeforeOrAfterTheLoss() {
        Consumer<LossEvent> early = event -> {};
        assertThat(notice.add(early)).isNull();
        assertThat(notice.lose(() -> true, LOSS)).containsExactly(early);
        assertThat(notice.lose(() -> false, LOSS)).isNull();
        assertThat(notice.add(event -> {})).isSameAs(LOSS);
        assertThat(notice.event()).isSameAs(LOSS);
    }

    @Test
    void reportsNothingIfTheTransitionDidNotLoseTheLease() {
        assertThat(notice.lose(() -> false, LOSS)).isNull();
        assertThat(notice.event()).isNull();
        assertThat(notice.takeForRelease()).isNull();
    }

    @Test
    void onlyTheFirstReleaseGetsTheLoss() {
        notice.lose(() -> true, LOSS);
        assertThat(notice.takeForRelease()).isSameAs(LOSS);
        assertThat(notice.takeForRelease()).isNull();
    }

    @Test
    void aReleaseBeforeTheLossDoesNotTakeTheLoss() {
        assertThat(notice.takeForRelease()).isNull();
        notice.lose(() -> true, LOSS);
        assertThat(notice.takeForRelease()).isSameAs(LOSS);
    }

    @Test
    void interruptsTheOwnerBeforeItsReleaseAndNeverAfter() {
        notice.interrupt(Thread.currentThread());
        assertThat(Thread.interrupted()).isTrue();
        String result = notice.release(() -> "released");
        assertThat(result).isEqualTo("released");
        notice.interrupt(Thread.currentThread());
        assertThat(Thread.interrupted()).isFalse();
    }

    /** The race that the gate is for: an interrupt that was decided on must not land after the release returned. */
    @Test
    void noInterruptLandsAfterTheReleaseHoweverTheyRace() throws InterruptedException {
        int rounds = 2000;
        AtomicReferenceArray<LossNotice> notices = new AtomicReferenceArray<>(rounds);
        AtomicInteger interrupted = new AtomicInteger();
        AtomicInteger released = new AtomicInteger();
        AtomicInteger late = new AtomicInteger();
        Thread owner = new Thread(() -> {
            for (int i = 0; i < rounds; i++) {
                LossNotice mine = next(notices, i);
                mine.release(() -> "");
                boolean before = Thread.interrupted();
                released.incrementAndGet();
                reached(interrupted, i + 1);
                if (Thread.interrupted() && !before) {
                    late.incrementAndGet();
                }
                released.incrementAndGet();
            }
        });
        owner.start();
        for (int i = 0; i < rounds; i++) {
            LossNotice one = new LossNotice();
            notices.set(i, one);
            one.interrupt(owner);
            interrupted.incrementAndGet();
            reached(released, 2 * (i + 1));
        }
        owner.join();
        assertThat(late).hasValue(0);
    }

    /** Spins, because an interrupt would end a wait. */
    private static void reached(AtomicInteger counter, int value) {
        while (counter.get() < value) {
            Thread.onSpinWait();
        }
    }

    private static LossNotice next(AtomicReferenceArray<LossNotice> notices, int i) {
        LossNotice next = notices.get(i);
        while (next == null) {
            Thread.onSpinWait();
            next = notices.get(i);
        }
        return next;
    }
}
