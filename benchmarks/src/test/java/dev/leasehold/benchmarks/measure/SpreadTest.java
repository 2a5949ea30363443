package dev.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void hasTheMiddleOfAnOddNumberOfValues() {
        assertThat(Spread.of(9, 1, 5)).isEqualTo(new Spread(5, 1, 9));
    }

    @Test
    void hasTheMeanOfTheTwoInTheMiddleOfAnEvenNumber() {
        assertThat(Spread.of(10, 1, 3, 4)).isEqualTo(new Spread(3.5, 1, 10));
    }

    @Test
    void isNotMovedByOneRoundThatWentWrong() {
        assertThat(Spread.of(3, 3, 3, 3, 1000).median()).isEqualTo(3);
    }

    @Test
    void comparesRoundByRound() {
        // In the second round the machine was ten times slower, for both: the ratio does not change.
        List<Double> fast = List.of(300.0, 30.0, 300.0);
        List<Double> slow = List.of(100.0, 10.0, 100.0);
        assertThat(Spread.ofRatios(fast, slow, value -> value)).isEqualTo(new Spread(3, 3, 3));
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesRoundsThatDoNotBelongTogether() {
        assertThatThrownBy(() -> Spread.ofRatios(List.of(1.0, 2.0), List.of(1.0), value -> value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 rounds cannot be compared with 1");
    }
}
