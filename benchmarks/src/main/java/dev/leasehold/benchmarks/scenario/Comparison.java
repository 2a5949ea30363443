package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures several subjects in one situation, in turns, so that a disturbance of the machine affects all of them.
 * The order rotates by one each round.
 */
public final class Comparison {

    private final List<Subject> subjects;
    private final Meter meter;
    private final Consumer<String> progress;

    /** Compares these subjects; progress is reported a line now and then. */
    public Comparison(List<Subject> subjects, Meter meter, Consumer<String> progress) {
        this.subjects = List.copyOf(subjects);
        this.meter = meter;
        this.progress = progress;
    }

    /** Measures so many rounds after an unmeasured one; returns the samples of each subject, by its name. */
    public Map<String, List<Sample>> of(Scenario scenario, int rounds, Duration time) {
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        for (Subject subject : subjects) {
            // This is their order in the tables.
            samples.put(subject.name(), new ArrayList<>());
            scenario.round(subject, time, meter);
        }
        for (int round = 0; round < rounds; round++) {
            for (int n = 0; n < subjects.size(); n++) {
                Subject subject = subjects.get((round + n) % subjects.size());
                Sample sample = scenario.round(subject, time, meter);
                samples.computeIfAbsent(subject.name(), name -> new ArrayList<>())
                        .add(sample);
                progress.accept(scenario.title() + ", round " + (round + 1) + " of " + rounds + ": " + subject.name()
                        + ", " + Math.round(sample.rate()) + " pairs/s");
            }
        }
        return samples;
    }
}
