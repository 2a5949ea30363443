package dev.leasehold.chaos.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void aThreadThatHasAcquiredWaitsForItsShareOfASecond() {
        Pace pace = new Pace(4, 0);
        assertThat(pace.early(0)).isZero();

        pace.acquired(0);
        pace.acquired(0);
        assertThat(pace.early(0)).isEqualTo(SECOND / 2);
        assertThat(pace.early(SECOND / 2)).isZero();
    }

    @Test
    void aProcessThatStoodStillMakesUpForOneSecondAndNoMore() {
        Pace pace = new Pace(4, 0);

        for (int n = 0; n < 4; n++) {
            pace.acquired(60 * SECOND);
            assertThat(pace.early(60 * SECOND)).isZero();
        }
        pace.acquired(60 * SECOND);
        assertThat(pace.early(60 * SECOND)).isEqualTo(SECOND / 4);
    }

    @Test
    void withoutARateNoThreadWaits() {
        Pace pace = new Pace(0, 0);

        pace.acquired(0);
        assertThat(pace.early(0)).isZero();
    }
}
