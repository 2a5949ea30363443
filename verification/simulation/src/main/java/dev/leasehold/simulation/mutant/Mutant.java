package dev.leasehold.simulation.mutant;

import java.util.List;

/**
 * A deliberate bug.
 *
 * @param name what is wrong with it
 * @param from the first seed it is tried with
 * @param within how many seeds it may live for
 * @param edits how it is made
 */
public record Mutant(String name, long from, int within, List<Edit> edits) {}
