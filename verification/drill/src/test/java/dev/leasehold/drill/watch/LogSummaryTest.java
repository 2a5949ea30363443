package dev.leasehold.drill.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogSummaryTest {

    @Test
    void eventsAreCountedByLevelAndLinesOfStacksApart() {
        LogSummary log = LogSummary.of(List.of(
                "05:39:29.914 INFO  dev.leasehold.elections - elected",
                "05:39:30.914 WARN  dev.leasehold.leases - lost",
                "05:39:30.915 ERROR org.example.Other - failed",
                "java.lang.IllegalStateException: why",
                "\tat org.example.Other.run(Other.java:1)"));
        assertThat(log.events()).isEqualTo(Map.of("INFO", 1, "WARN", 1, "ERROR", 1));
        assertThat(log.further()).isEqualTo(2);
        assertThat(log.troubled()).isEqualTo(4);
    }

    @Test
    void warningsThatDifferByNumbersAreOne() {
        LogSummary log = LogSummary.of(List.of(
                "05:39:30.914 WARN  dev.leasehold.leases - lost after 1,234 ms at 127.0.0.1:6379",
                "05:39:31.914 WARN  dev.leasehold.leases - lost after 17 ms at 127.0.0.1:6380"));
        assertThat(log.warnings()).isEqualTo(Map.of("WARN dev.leasehold.leases: lost after N ms at N:N", 2));
    }
}
