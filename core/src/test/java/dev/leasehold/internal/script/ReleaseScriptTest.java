package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReleaseScriptTest {

    private static final LeaseSpan HALF_OF_RETENTION = new LeaseSpan(30_000_000_000L);

    private final ReleaseScript release = new ReleaseScript(new Retention(Duration.ofSeconds(60)), true);

    private String usual(LeaseSpan longest, boolean lean, ServerTime notAfter) {
        LockKey key = LockKey.of(new KeyPrefix("leasehold"), "x");
        return release.call(new ReleaseHold(key, new AcquisitionId("id"), longest, lean, notAfter, 1))
                .args()
                .get(4);
    }

    @Test
    void theUsualCaseIsAShortLeanHoldOfWhichOneCopyWasSent() {
        assertThat(usual(HALF_OF_RETENTION, true, ServerTime.NONE)).isEqualTo("1");
        assertThat(usual(HALF_OF_RETENTION, false, ServerTime.NONE)).isEqualTo("0");
        assertThat(usual(HALF_OF_RETENTION, true, new ServerTime(4))).isEqualTo("0");
        assertThat(usual(new LeaseSpan(HALF_OF_RETENTION.nanos() + 1), true, ServerTime.NONE))
                .isEqualTo("0");
    }

    @Test
    void anAnswerOfOneStringHasItsPartsBetweenBlanks() {
        assertThat(Reply.parts(List.of("granted 5"))).containsExactly("granted", "5");
        assertThat(Reply.parts(List.of("foreign", "5", "a hash"))).containsExactly("foreign", "5", "a hash");
    }
}
