package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReleaseScriptTest {

    private static final LeaseSpan HALF_OF_MEMORY = new LeaseSpan(30_000_000_000L);

    private final ReleaseScript release = new ReleaseScript(new TokenMemory(Duration.ofSeconds(60)), true);

    private String usual(LeaseSpan longest, boolean lean, ServerTime notAfter) {
        LockKey key = LockKey.of(new KeyPrefix("leasehold"), "x");
        return release.call(new ReleaseHold(key, new AcquisitionId("id"), longest, lean, notAfter, 1))
                .args()
                .get(4);
    }

    @Test
    void theUsualCaseIsAShortLeanHoldOfWhichOneCopyWasSent() {
        assertThat(usual(HALF_OF_MEMORY, true, ServerTime.NONE)).isEqualTo("1");
        assertThat(usual(HALF_OF_MEMORY, false, ServerTime.NONE)).isEqualTo("0");
        assertThat(usual(HALF_OF_MEMORY, true, new ServerTime(4))).isEqualTo("0");
        assertThat(usual(new LeaseSpan(HALF_OF_MEMORY.nanos() + 1), true, ServerTime.NONE))
                .isEqualTo("0");
    }

    @Test
    void theUsualGrantIsOneTextAndEverythingElseIsAList() {
        LeaseSpan lease = new LeaseSpan(7000);
        AcquireHold.Answer usual = AcquireScript.answer(List.of("granted 5"), lease);
        assertThat(usual).isEqualTo(AcquireScript.answer(List.of("granted", "5", "7", "5"), lease));
        assertThatThrownBy(() -> AcquireScript.answer(List.of("given 5"), lease))
                .hasMessageContaining("'given 5'");
        assertThatThrownBy(() -> AcquireScript.answer(List.of("granted five"), lease))
                .isInstanceOf(NumberFormatException.class);
    }
}
