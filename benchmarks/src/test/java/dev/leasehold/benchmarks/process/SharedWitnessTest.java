package dev.leasehold.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.IncorrectException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedWitnessTest {

    @TempDir
    private Path directory;

    private SharedWitness here;
    private SharedWitness there;

    @BeforeEach
    void mapTwice() {
        here = SharedWitness.map(directory.resolve("witness"), 3);
        there = SharedWitness.map(directory.resolve("witness"), 3);
    }

    @Test
    void letsOneInAfterTheOtherAndReportsTheTimeAndTheProcessOfTheLastLeave() {
        assertThat(here.enter(2, 0)).isEqualTo(new SharedWitness.Entry(0, 0, 0));
        long before = System.nanoTime();
        here.leave(2, 0);
        SharedWitness.Entry entry = there.enter(2, 1);
        assertThat(entry.leftAt() - before).isNotNegative();
        assertThat(System.nanoTime() - entry.leftAt()).isNotNegative();
        assertThat(entry.leftBy()).isEqualTo(ProcessHandle.current().pid());
        assertThat(entry.number()).isEqualTo(1);
    }

    @Test
    void noticesASecondOneThroughAnotherMapping() {
        here.enter(1, 4);
        assertThatThrownBy(() -> there.enter(1, 5))
                .isInstanceOf(IncorrectException.class)
                .hasMessageContaining("lock 1: thread 5 of process ")
                .hasMessageContaining(" entered while thread 4 of process ");
    }

    @Test
    void keepsLocksApart() {
        here.enter(0, 0);
        there.enter(1, 1);
        there.leave(1, 1);
        here.leave(0, 0);
    }

    @Test
    void detectsALeaveWithoutAnEntry() {
        here.enter(0, 0);
        assertThatThrownBy(() -> there.leave(0, 1)).isInstanceOf(IncorrectException.class);
    }

    @Test
    void forgets() {
        here.enter(0, 0);
        there.clear();
        assertThat(here.enter(0, 1).number()).isZero();
    }

    @Test
    void letsManyReadAndDetectsAWriterMeanwhile() {
        here.enterToRead(1, 0);
        there.enterToRead(1, 1);
        here.leaveReading(1, 0);
        assertThatThrownBy(() -> here.enter(1, 2)).isInstanceOf(IncorrectException.class);
        here.clear();
        here.enter(1, 2);
        assertThatThrownBy(() -> there.enterToRead(1, 1)).isInstanceOf(IncorrectException.class);
    }
}
