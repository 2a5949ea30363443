package dev.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerStatsTest {

    private static final ServerStats EARLIER = ServerStats.of(Map.of(
            "used_cpu_user", "1.5",
            "used_cpu_sys", "0.5",
            "total_reads_processed", "20",
            "cmdstat_evalsha", "calls=10,usec=200,usec_per_call=20.00,rejected_calls=0,failed_calls=0",
            "cmdstat_ping", "calls=3,usec=3,usec_per_call=1.00",
            "cmdstat_info", "calls=1,usec=90,usec_per_call=90.00"));
    private static final ServerStats LATER = ServerStats.of(Map.of(
            "used_cpu_user", "1.75",
            "used_cpu_sys", "0.75",
            "total_reads_processed", "27",
            "cmdstat_evalsha", "calls=14,usec=280,usec_per_call=20.00,rejected_calls=0,failed_calls=0",
            "cmdstat_eval", "calls=1,usec=40,usec_per_call=40.00",
            "cmdstat_ping", "calls=3,usec=3,usec_per_call=1.00",
            "cmdstat_config|set", "calls=2,usec=8,usec_per_call=4.00",
            "cmdstat_info", "calls=2,usec=180,usec_per_call=90.00"));

    @Test
    void countsWhatCameBetweenTwoMoments() {
        ServerStats between = LATER.since(EARLIER);
        assertThat(between.cpuMicros()).isEqualTo(500_000);
        assertThat(between.reads()).isEqualTo(7);
        assertThat(between.calls()).isEqualTo(7);
        assertThat(between.commands())
                .containsOnly(
                        Map.entry("evalsha", new ServerStats.Cost(4, 80)),
                        Map.entry("eval", new ServerStats.Cost(1, 40)),
                        Map.entry("config|set", new ServerStats.Cost(2, 8)));
    }

    @Test
    void addsUpAllScripts() {
        assertThat(LATER.since(EARLIER).scripts().each()).isEqualTo(24);
    }

    @Test
    void hasNoCostOfWhatDidNotRun() {
        assertThat(EARLIER.since(EARLIER).scripts().each()).isNaN();
    }
}
