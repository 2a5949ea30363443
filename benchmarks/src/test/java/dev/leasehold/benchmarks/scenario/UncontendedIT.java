package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.JdkSubject;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UncontendedIT {

    private static final Duration SHORT = Duration.ofMillis(500);

    @RegisterExtension
    static final EmbeddedRedisExtension redis =
            EmbeddedRedisExtension.perClass(EmbeddedRedis.builder().withoutPassword());

    private final Uncontended scenario = new Uncontended(4);
    private final Recorder recorder = new Recorder();

    @Test
    void measuresNamesThatWereNeverContended() {
        scenario.round(recorder, SHORT, new Meter(redis.server()));
        scenario.round(recorder, SHORT, new Meter(redis.server()));
        assertThat(recorder.measured).isNotEmpty();
        assertThat(recorder.measuredAfterContention).isEmpty();
        assertThat(recorder.contended).containsAll(recorder.measured);
    }

    @Test
    void timesEachPair() {
        Sample sample = scenario.round(recorder, SHORT, new Meter(redis.server()));
        assertThat(sample.pairs()).isPositive();
        assertThat(sample.p99Micros()).isPositive().isLessThan(sample.nanos() / 1e3);
    }

    /** Records which names a thread found held by another one. */
    private static final class Recorder implements Subject {

        private final JdkSubject locks = new JdkSubject();
        private final Set<String> measured = ConcurrentHashMap.newKeySet();
        private final Set<String> contended = ConcurrentHashMap.newKeySet();
        private final Set<String> measuredAfterContention = ConcurrentHashMap.newKeySet();

        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public Grip grip(String lock) {
            Grip grip = locks.grip(lock);
            return new Grip() {
                @Override
                public void acquire() throws InterruptedException {
                    measured.add(lock);
                    if (contended.contains(lock)) {
                        measuredAfterContention.add(lock);
                    }
                    grip.acquire();
                }

                @Override
                public boolean tryAcquire() {
                    boolean acquired = grip.tryAcquire();
                    if (!acquired) {
                        contended.add(lock);
                    }
                    return acquired;
                }

                @Override
                public boolean held() {
                    return grip.held();
                }

                @Override
                public void release() {
                    grip.release();
                }
            };
        }

        @Override
        public void close() {
            locks.close();
        }
    }
}
