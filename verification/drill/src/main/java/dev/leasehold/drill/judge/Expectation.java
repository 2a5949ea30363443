package dev.leasehold.drill.judge;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What may and must be seen of a scenario. Begin with {@link #calm()} and add what the fault excuses.
 *
 * @param answers statuses that callers may see
 * @param must alerts that fire
 * @param may alerts that may fire, because it depends on the moment of the fault
 * @param mayAfterLongOutage alerts that may fire if no lock was granted for longer than a lease lasts without renewal
 * @param unhealthy whether health may be DOWN meanwhile
 * @param denials whether Redis may deny the user commands
 * @param troubledLines how many lines an instance may log at WARN and ERROR, with all lines of stacks; unless there may be none, the
 *     judge adds one for each second of an outage, and two for each 500
 */
public record Expectation(
        Set<String> answers,
        Set<String> must,
        Set<String> may,
        Set<String> mayAfterLongOutage,
        boolean unhealthy,
        boolean denials,
        int troubledLines) {

    /**
     * Returns the expectation of a scenario that nobody notices: each request gets its lock or finds it held, no alert fires, health is
     * always UP, and no instance logs a warning.
     *
     * @return the expectation
     */
    public static Expectation calm() {
        return new Expectation(Set.of("200", "409"), Set.of(), Set.of(), Set.of(), false, false, 0);
    }

    /**
     * Lets callers see further answers.
     *
     * @param more statuses
     * @return another expectation
     */
    public Expectation answering(String... more) {
        return new Expectation(with(answers, more), must, may, mayAfterLongOutage, unhealthy, denials, troubledLines);
    }

    /**
     * Demands alerts.
     *
     * @param names of rules
     * @return another expectation
     */
    public Expectation firing(String... names) {
        return new Expectation(answers, with(must, names), may, mayAfterLongOutage, unhealthy, denials, troubledLines);
    }

    /**
     * Permits alerts.
     *
     * @param names of rules
     * @return another expectation
     */
    public Expectation perhapsFiring(String... names) {
        return new Expectation(answers, must, with(may, names), mayAfterLongOutage, unhealthy, denials, troubledLines);
    }

    /**
     * Permits alerts if the outage was longer than a lease lasts without renewal.
     *
     * @param names of rules
     * @return another expectation
     */
    public Expectation firingAfterLongOutage(String... names) {
        return new Expectation(answers, must, may, with(mayAfterLongOutage, names), unhealthy, denials, troubledLines);
    }

    /**
     * Permits health to be DOWN until the end of the fault.
     *
     * @return another expectation
     */
    public Expectation unhealthyMeanwhile() {
        return new Expectation(answers, must, may, mayAfterLongOutage, true, denials, troubledLines);
    }

    /**
     * Permits denials.
     *
     * @return another expectation
     */
    public Expectation withDenials() {
        return new Expectation(answers, must, may, mayAfterLongOutage, unhealthy, true, troubledLines);
    }

    /**
     * Permits warnings.
     *
     * @param lines of an instance
     * @return another expectation
     */
    public Expectation logging(int lines) {
        return new Expectation(answers, must, may, mayAfterLongOutage, unhealthy, denials, lines);
    }

    private static Set<String> with(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).collect(Collectors.toCollection(TreeSet::new));
    }
}
