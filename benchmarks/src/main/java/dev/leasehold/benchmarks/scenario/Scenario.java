package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.subject.Subject;
import java.time.Duration;

/** A situation in which all subjects are measured, one after the other, round by round. */
public interface Scenario {

    /** Returns its name in the report. */
    String title();

    /**
     * Measures one round of one subject.
     *
     * @param time the length of the round
     * @throws dev.leasehold.benchmarks.IncorrectException if the subject violated mutual exclusion
     */
    Sample round(Subject subject, Duration time, Meter meter);
}
