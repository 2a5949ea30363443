package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.LettuceVersion;
import org.junit.jupiter.api.Test;

/** Runs beside the contracts with each version of Lettuce: else a wrong class path would let them pass on one alone. */
class LettuceVersionIT {

    @Test
    void theLettuceThatIsMeantIsTheLettuceThatRuns() {
        assertThat(LettuceVersion.getVersion()).startsWith(System.getProperty("leasehold.lettuce.version"));
    }
}
