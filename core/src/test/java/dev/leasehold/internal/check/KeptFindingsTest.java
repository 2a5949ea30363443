package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Findings are kept for minutes, and the last ones count. */
class KeptFindingsTest {

    private final VirtualTime time = new VirtualTime();
    private final KeptFindings kept = new KeptFindings(time);

    private static List<Finding> finding(String text) {
        return List.of(new Finding(Finding.Level.DANGER, "server", text, "remedy"));
    }

    @Test
    void keepsTheLastFindingsForTenMinutes() {
        assertThat(kept.get()).isEmpty();
        assertThat(kept.keep(finding("first"))).isEqualTo(finding("first"));
        kept.keep(finding("second"));
        time.pass(Duration.ofMinutes(10));
        assertThat(kept.get()).isEqualTo(finding("second"));
        time.pass(Duration.ofMillis(1));
        assertThat(kept.get()).isEmpty();
    }
}
