package dev.leasehold.benchmarks.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.measure.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredReportTest {

    private static final String REPORT = """
            # Title

            - 2026-01-01, commit abc
            - 2 cores

            ## Part one

            | subject | pairs/s |
            | ------- | ------: |
            | a       |      10 |

            ## Part two

            Words.

            | subject |    pairs/s |
            | ------- | ---------: |
            | b\\|c    | 20 (1 to 30) |

            | other |
            | ----: |
            | d     |
            """;

    @TempDir
    private Path results;

    @Test
    void hasTheTableAfterAHeading() {
        StoredReport report = new StoredReport("one", REPORT.lines().toList());
        StoredReport.Table table = report.tableAfter("## Part two");
        assertThat(table.rows()).singleElement().satisfies(row -> {
            assertThat(row.get(0)).isEqualTo("b|c");
            assertThat(table.value(row, "pairs/s")).isEqualTo(new Spread(20, 1, 30));
        });
        assertThat(report.table().rows()).containsExactly(List.of("a", "10"));
        assertThat(report.title()).isEqualTo("Title");
        assertThat(report.fact(1)).isEqualTo("2 cores");
    }

    @Test
    void saysWhatIsMissing() {
        StoredReport report = new StoredReport("one", REPORT.lines().toList());
        assertThatThrownBy(() -> report.tableAfter("## Part three"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the report of one has no line '## Part three'");
        StoredReport.Table table = report.table();
        assertThatThrownBy(() -> table.value(table.rows().get(0), "p99"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the report of one has no column 'p99'");
        assertThatThrownBy(() -> report.fact(2)).hasMessageContaining("fact 2");
    }

    @Test
    void isTheNewestThatIsNotQuickAndOfTheSameScenario() throws IOException {
        for (String name : List.of(
                "2026-01-02-one.md", "2026-01-10-one.md", "2026-01-11-one-quick.md", "2026-01-12-twenty-one.md")) {
            Files.writeString(results.resolve(name), "# " + name);
        }
        assertThat(StoredReport.newest(results, "one").title()).isEqualTo("2026-01-10-one.md");
        assertThatThrownBy(() -> StoredReport.newest(results, "two"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no report of two in ")
                .hasMessageEndingWith("run benchmarks/run two first");
    }
}
