package dev.leasehold.simulation.mutant;

import java.util.List;

/**
 * A deliberate bug.
 *
 * @param name a description of the bug
 * @param from the first seed it is tried with
 * @param within the number of seeds within which it must be caught
 * @param edits the changes of the sources
 */
public record Mutant(String name, long from, int within, List<Edit> edits) {}
