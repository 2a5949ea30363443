package dev.leasehold.benchmarks.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.scenario.Probe;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ContestantIT {

    @RegisterExtension
    static final EmbeddedRedisExtension redis =
            EmbeddedRedisExtension.perClass(EmbeddedRedis.builder().withoutPassword());

    @ParameterizedTest
    @EnumSource(Contestant.class)
    void locksUnderTheNameOfTheTables(Contestant contestant) {
        try (Subject subject = contestant.connect(redis.uri())) {
            assertThat(subject.name()).isEqualTo(contestant.title());
            Probe.check(subject, List.of("one", "two"));
        }
    }

    static List<Function<String, Subject>> others() {
        return List.of(
                LeaseSubject::overJedis,
                LeaseSubject::semaphore,
                JedisSubject::bare,
                BareScriptsSubject::overJedis,
                BareScriptsSubject::semaphore);
    }

    @ParameterizedTest
    @MethodSource("others")
    void locksWhereOnlySingleThreadsAreMeasured(Function<String, Subject> connect) {
        try (Subject subject = connect.apply(redis.uri())) {
            assertThat(subject.name()).isNotBlank();
            Probe.check(subject, List.of("one", "two"));
        }
    }
}
