package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Each thread acquires and releases a lock of its own repeatedly. */
public final class Uncontended implements Scenario {

    private final List<String> names;

    /** Creates it with so many threads, each on a name of its own. */
    public Uncontended(int threads) {
        names = IntStream.range(0, threads)
                .mapToObj(n -> "uncontended-" + threads + "-" + n)
                .toList();
    }

    @Override
    public String title() {
        return names.size() == 1
                ? "Uncontended, 1 thread on 1 name"
                : "Uncontended, " + names.size() + " threads on " + names.size() + " names";
    }

    @Override
    public Sample round(Subject subject, Duration time, Meter meter) {
        Probe.check(subject, names);
        Sample sample = Crew.work(names.size(), time, meter, n -> task(subject, names.get(n)));
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
