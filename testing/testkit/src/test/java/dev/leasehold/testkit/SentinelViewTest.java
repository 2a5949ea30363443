package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentinelViewTest {

    @Test
    void aNodeIsSoundIfItsFlagsNameItsKindAlone() {
        assertThat(SentinelView.isSound("slave", "slave")).isTrue();
        assertThat(SentinelView.isSound("s_down,slave", "slave")).isFalse();
        assertThat(SentinelView.isSound("s_down,sentinel,disconnected", "sentinel"))
                .isFalse();
        assertThat(SentinelView.isSound("", "sentinel")).isFalse();
    }

    /** Sentinels of Valkey 9.1 report this of each other for good after a failover that one of them led. */
    @Test
    void whatASentinelLastSaidOfThePrimaryIsNoDoubtInTheSentinel() {
        assertThat(SentinelView.isSound("sentinel,master_down", "sentinel")).isTrue();
    }
}
