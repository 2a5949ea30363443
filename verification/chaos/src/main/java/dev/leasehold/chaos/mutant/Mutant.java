package dev.leasehold.chaos.mutant;

import dev.leasehold.chaos.check.Rule;
import java.util.List;
import java.util.Set;

/**
 * A deliberate bug.
 *
 * @param name what is wrong with it
 * @param topology where it is to be found
 * @param durability with which
 * @param nemeses by which faults
 * @param rules by which rules, of which one is enough
 * @param edits how it is made
 */
public record Mutant(
        String name, String topology, String durability, List<String> nemeses, Set<Rule> rules, List<Edit> edits) {

    /**
     * A change of a source or resource of the core.
     *
     * @param file the name of a source or script of the core, wherever it is below leasehold-core/src/main
     * @param find what stands there, exactly once; if not, the edit is out of date and refused
     * @param replace what is put in its place
     */
    public record Edit(String file, String find, String replace) {

        String apply(String text) {
            int at = text.indexOf(find);
            if (at < 0 || text.indexOf(find, at + 1) >= 0) {
                throw new IllegalStateException("what is to be changed in " + file + " stands there "
                        + (at < 0 ? "no more" : "more than once") + ": " + find);
            }
            return text.substring(0, at) + replace + text.substring(at + find.length());
        }
    }
}
