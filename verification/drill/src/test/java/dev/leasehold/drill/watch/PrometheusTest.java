package dev.leasehold.drill.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PrometheusTest {

    @Test
    void theConfigurationNamesEachInstance() {
        assertThat(Prometheus.configuration(new TreeMap<>(Map.of("a", 1, "b", 2))))
                .contains("rule_files: [rules.yml]")
                .endsWith("""
                              - targets: ['127.0.0.1:1']
                                labels: {instance: a}
                              - targets: ['127.0.0.1:2']
                                labels: {instance: b}
                        """);
    }
}
