package dev.leasehold.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MajorityTest {

    private static final Majority FIVE = new Majority(5);

    @ParameterizedTest
    @CsvSource({"1, 1, 0", "2, 2, 0", "3, 2, 1", "4, 3, 1", "5, 3, 2", "6, 4, 2", "7, 4, 3"})
    void isMoreThanHalf(int nodes, int needed, int spare) {
        Majority majority = new Majority(nodes);
        assertThat(majority.needed()).isEqualTo(needed);
        assertThat(majority.spare()).isEqualTo(spare);
        assertThat(majority.reached(needed)).isTrue();
        assertThat(majority.reached(needed - 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 63})
    void twoOfThemHaveAServerInCommon(int nodes) {
        assertThat(2 * new Majority(nodes).needed()).isGreaterThan(nodes);
    }

    @Test
    void fitsIntoABitMask() {
        assertThatThrownBy(() -> new Majority(64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Majority(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isPossibleWhileEnoughHaveNotAnswered() {
        assertThat(FIVE.possible(1, 2)).isTrue();
        assertThat(FIVE.possible(1, 1)).isFalse();
    }

    @Test
    void isValidUntilTooFewAreLeft() {
        assertThat(FIVE.validFor(List.of(10L, 50L, 30L, 20L, 40L))).isEqualTo(30);
        assertThat(FIVE.validFor(List.of(10L, 50L, 30L))).isEqualTo(10);
        assertThat(FIVE.validFor(List.of(10L, 50L))).isZero();
    }

    /** At least as high as the tokens of some majority, and as low as possible. */
    @Test
    void takesTheTokenAtTheRankOfTheMajority() {
        assertThat(FIVE.token(List.of(10L, 50L, 30L, 20L, 40L))).isEqualTo(30);
        assertThat(FIVE.token(List.of(10L, 50L, 30L, 20L))).isEqualTo(30);
        assertThat(FIVE.token(List.of(10L, 50L, 30L))).isEqualTo(50);
        assertThat(FIVE.token(List.of(7L, 7L, 7L, 7L))).isEqualTo(7);
    }

    @Test
    void waitsForTheRemainingServersAboutAsLongAsAnotherRoundTakes() {
        assertThat(Majority.gracePeriod(0)).isEqualTo(2_000_000);
        assertThat(Majority.gracePeriod(5_000_000)).isEqualTo(12_000_000);
    }

    @Test
    void isFreeWhenEnoughHaveEnded() {
        assertThat(FIVE.freeAfter(List.of(10L, 30L, 20L))).isEqualTo(10);
        assertThat(FIVE.freeAfter(List.of(10L, 50L, 30L, 20L, 40L))).isEqualTo(30);
        assertThat(FIVE.freeAfter(List.of(50L, 60L))).isZero();
    }

    @Test
    void pausesWithinAWindowThatGrowsToABound() {
        long milli = 1_000_000;
        assertThat(Majority.pause(0, milli, 1)).isEqualTo(4 * milli);
        assertThat(Majority.pause(0, milli, 0)).isZero();
        assertThat(Majority.pause(3, milli, 0.5)).isEqualTo(16 * milli);
        assertThat(Majority.pause(6, milli, 1)).isEqualTo(256 * milli);
        assertThat(Majority.pause(1000, milli, 1)).isEqualTo(256 * milli);
    }

    @Test
    void theWindowGrowsToSeveralTimesWhatATryTakes() {
        long milli = 1_000_000;
        assertThat(Majority.pause(0, 100 * milli, 1)).isEqualTo(100 * milli);
        assertThat(Majority.pause(2, 100 * milli, 1)).isEqualTo(400 * milli);
        assertThat(Majority.pause(1000, 100 * milli, 1)).isEqualTo(800 * milli);
        assertThat(Majority.pause(1000, 1000 * milli, 1)).isEqualTo(2000 * milli);
    }

    @Test
    void waitsForOneServerFarLessThanALease() {
        long milli = 1_000_000;
        assertThat(Majority.nodeTimeout(500 * milli, 30_000 * milli, 2_000 * milli))
                .isEqualTo(500 * milli);
        assertThat(Majority.nodeTimeout(500 * milli, 1_000 * milli, 2_000 * milli))
                .isEqualTo(125 * milli);
        assertThat(Majority.nodeTimeout(500 * milli, 50 * milli, 2_000 * milli)).isEqualTo(10 * milli);
        assertThat(Majority.nodeTimeout(500 * milli, 30_000 * milli, 6 * milli)).isEqualTo(3 * milli);
    }
}
