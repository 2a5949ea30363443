package dev.leasehold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.measure.Spread;
import org.junit.jupiter.api.Test;

class MarkdownTableTest {

    @Test
    void alignsItsColumns() {
        MarkdownTable table = new MarkdownTable("subject", "pairs/s");
        table.row("a", "12,345");
        table.row("a longer one", "1.00");
        assertThat(table).hasToString("""
                        | subject      | pairs/s |
                        | ------------ | ------: |
                        | a            |  12,345 |
                        | a longer one |    1.00 |
                        """);
    }

    @Test
    void keepsACellInOnePiece() {
        MarkdownTable table = new MarkdownTable("command");
        table.row("config|set");
        assertThat(table.toString()).contains("| config\\|set |");
    }

    @Test
    void refusesARowThatDoesNotFit() {
        assertThatThrownBy(() -> new MarkdownTable("one", "two").row("one"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row of 1 cells in a table of 2");
    }

    @Test
    void formatsNumbersForReaders() {
        assertThat(Numbers.of(1_234_567.8)).isEqualTo("1,234,568");
        assertThat(Numbers.of(12.34)).isEqualTo("12.3");
        assertThat(Numbers.of(1.234)).isEqualTo("1.23");
        assertThat(Numbers.of(Double.NaN)).isEqualTo("-");
        assertThat(Numbers.of(0.0)).isEqualTo("0");
        assertThat(Numbers.of(Double.POSITIVE_INFINITY)).isEqualTo("never");
        assertThat(Numbers.plain(0.05)).isEqualTo("0.05");
        assertThat(Numbers.plain(30)).isEqualTo("30");
        assertThat(Numbers.of(new Spread(1000, 1000, 1000))).isEqualTo("1,000");
        assertThat(Numbers.of(new Spread(3, 2.5, 100))).isEqualTo("3.00 (2.50 to 100)");
    }

    @Test
    void readsWhatItWrote() {
        assertThat(Numbers.parse("15,679 (14,308.5 to never)"))
                .isEqualTo(new Spread(15_679, 14_308.5, Double.POSITIVE_INFINITY));
        assertThat(Numbers.parse("0.05")).isEqualTo(new Spread(0.05, 0.05, 0.05));
        assertThat(Numbers.parse("-").median()).isNaN();
        assertThatThrownBy(() -> Numbers.parse("12 us"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'12 us' is no number");
    }
}
