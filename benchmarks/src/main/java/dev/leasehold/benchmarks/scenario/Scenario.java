package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;

/** A situation in which all subjects are put, one after the other, round by round. */
public interface Scenario {

    /** What it is called in the report. */
    String title();

    /**
     * Measures one round of one subject.
     *
     * @param time for how long
     * @throws dev.leasehold.benchmarks.IncorrectException if the subject did not lock as it should
     */
    Sample round(Subject subject, Duration time, Meter meter);
}
