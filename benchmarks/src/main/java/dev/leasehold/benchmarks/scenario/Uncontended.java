package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Each thread acquires and releases a lock of its own repeatedly. The names are new in each round, and are probed only after it:
 * a probe lets two threads contend, and a client may treat a name with contention differently for some time.
 */
public final class Uncontended implements Scenario {

    private static final List<String> PROBED_BEFORE = List.of("uncontended-before");

    private final int threads;
    private int rounds;

    /** Creates it with so many threads, each on a name of its own. */
    public Uncontended(int threads) {
        this.threads = threads;
    }

    @Override
    public String title() {
        return threads == 1
                ? "Uncontended, 1 thread on 1 name"
                : "Uncontended, " + threads + " threads on " + threads + " names";
    }

    @Override
    public Sample round(Subject subject, Duration time, Meter meter) {
        Probe.check(subject, PROBED_BEFORE);
        int round = rounds++;
        List<String> names = IntStream.range(0, threads)
                .mapToObj(n -> "uncontended-" + threads + "-" + round + "-" + n)
                .toList();
        Sample sample = Crew.work(threads, time, meter, n -> task(subject, names.get(n)));
        Probe.check(subject, names);
        return sample;
    }

    private static Crew.Task task(Subject subject, String name) {
        Grip grip = subject.grip(name);
        Witness witness = new Witness(subject.name() + ", " + name);
        return () -> {
            grip.acquire();
            witness.enter();
            witness.leave();
            grip.release();
        };
    }
}
