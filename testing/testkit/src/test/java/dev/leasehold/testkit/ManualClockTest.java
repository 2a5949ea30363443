package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.Timer.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    private final ManualClock clock = ManualClock.create();
    private final long start = clock.nanoTime();
    private final List<String> log = new ArrayList<>();

    private Timeout schedule(String name, long nanos) {
        return clock.schedule(() -> log.add(name + "@" + (clock.nanoTime() - start)), nanos);
    }

    private void advance(long nanos) {
        clock.advance(Duration.ofNanos(nanos));
    }

    @Test
    void runsTasksAtTheirDueTimesInOrder() {
        schedule("b", 20);
        schedule("a", 10);
        schedule("c", 20);
        schedule("later", 21);
        advance(20);
        assertThat(log).containsExactly("a@10", "b@20", "c@20");
        assertThat(clock.nanoTime() - start).isEqualTo(20);
        assertThat(clock.nextTaskAt()).hasValue(start + 21);
    }

    @Test
    void runsWhatIsScheduledMeanwhile() {
        clock.schedule(() -> schedule("child", 5), 10);
        advance(30);
        assertThat(log).containsExactly("child@15");
        schedule("overdue", -7);
        advance(0);
        assertThat(log).contains("overdue@30");
        assertThat(clock.nextTaskAt()).isEmpty();
    }

    @Test
    void aCancelledTaskNeverRuns() {
        Timeout first = schedule("a", 10);
        schedule("b", 20);
        first.cancel();
        assertThat(clock.nextTaskAt()).hasValue(start + 20);
        advance(20);
        assertThat(log).containsExactly("b@20");
    }

    @Test
    void movesBothClocksTogetherAndTheWallAlone() {
        long wall = clock.wallMillis();
        clock.advance(Duration.ofSeconds(5));
        assertThat(clock.wallMillis() - wall).isEqualTo(5000);
        clock.stepWall(Duration.ofSeconds(-2));
        assertThat(clock.wallMillis() - wall).isEqualTo(3000);
        assertThat(clock.nanoTime() - start).isEqualTo(5_000_000_000L);
        assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTaskMayMoveTheClockItself() {
        clock.schedule(() -> clock.pause(100), 10);
        schedule("meanwhile", 50);
        advance(20);
        assertThat(log).containsExactly("meanwhile@50");
        assertThat(clock.nanoTime() - start).isEqualTo(110);
    }

    @Test
    void anInterruptedThreadDoesNotPause() {
        Thread.currentThread().interrupt();
        clock.pause(100);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clock.nanoTime()).isEqualTo(start);
        clock.pause(100);
        assertThat(clock.nanoTime() - start).isEqualTo(100);
    }

    @Test
    void wrapsWhereTheMonotonicClockMay() {
        ManualClock wrapping = ManualClock.startingAt(Long.MAX_VALUE - 5);
        List<Long> seen = new ArrayList<>();
        wrapping.schedule(() -> seen.add(wrapping.nanoTime()), 10);
        assertThat(wrapping.nextTaskAt()).hasValue(Long.MIN_VALUE + 4);
        wrapping.advance(Duration.ofNanos(20));
        assertThat(seen).containsExactly(Long.MIN_VALUE + 4);
    }

    @Test
    void endsAnEndlessLoop() {
        Runnable[] again = new Runnable[1];
        again[0] = () -> clock.schedule(again[0], 0);
        again[0].run();
        assertThatThrownBy(() -> advance(1)).hasMessageContaining("endless loop");
    }

    @Test
    void forgetsAllTasksWhenClosed() {
        schedule("a", 10);
        clock.close();
        schedule("b", 10);
        advance(20);
        assertThat(log).isEmpty();
    }
}
