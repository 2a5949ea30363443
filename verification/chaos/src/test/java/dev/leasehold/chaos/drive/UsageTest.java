package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsageTest {

    private static final Usage BEFORE = usage("heap 9000 threads 30", 20, 21);

    @Test
    void whatIsAboutTheSameHasNotGrown() {
        assertThat(usage("heap 12000 threads 34", 24, 25).grownSince(BEFORE, 20))
                .isEmpty();
    }

    @Test
    void eachOfTheFourIsSeenToGrow() {
        assertThat(usage("heap 9000 threads 80", 20, 21).grownSince(BEFORE, 20))
                .containsExactly("threads of a process: 80 where there were 30");
        assertThat(usage("heap 39000 threads 30", 20, 21).grownSince(BEFORE, 20))
                .containsExactly("KiB of heap of a process: 39000 where there were 9000");
        assertThat(usage("heap 9000 threads 30", 60, 21).grownSince(BEFORE, 20))
                .containsExactly("connections: 60 where there were 20");
        assertThat(usage("heap 9000 threads 30", 20, 90).grownSince(BEFORE, 20))
                .containsExactly("keys: 90 where there were 21");
        assertThat(usage("heap 9000 threads 30", 20, 90).grownSince(BEFORE, 80)).isEmpty();
    }

    @Test
    void allFourAreShown() {
        assertThat(BEFORE).hasToString("heap in KiB and threads of w0 9000 30, connections 20, keys 21");
    }

    private static Usage usage(String worker, long connections, long keys) {
        return new Usage(List.of(Usage.Worker.parse("w0", worker)), connections, keys);
    }
}
