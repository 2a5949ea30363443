package dev.leasehold.benchmarks.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.scenario.Probe;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContestantIT {

    @RegisterExtension
    static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.perClass();

    @ParameterizedTest
    @EnumSource(Contestant.class)
    void locksUnderTheNameOfTheTables(Contestant contestant) {
        try (Subject subject = contestant.connect(redis.uri())) {
            assertThat(subject.name()).isEqualTo(contestant.title());
            Probe.check(subject, List.of("one", "two"));
        }
    }
}
