package dev.leasehold.drill.drive;

import dev.leasehold.drill.judge.Observation;
import dev.leasehold.drill.scenario.Scenario;
import java.util.List;

/**
 * A scenario that was run.
 *
 * @param scenario as declared
 * @param seen what was observed
 * @param findings what contradicts the expectation
 */
public record Result(Scenario scenario, Observation seen, List<String> findings) {}
