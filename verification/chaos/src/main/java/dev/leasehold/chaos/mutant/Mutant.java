package dev.leasehold.chaos.mutant;

import dev.leasehold.chaos.check.Rule;
import java.util.List;
import java.util.Set;

/**
 * A deliberate bug.
 *
 * @param name a description of the bug
 * @param topology the topology that exposes it
 * @param durability the durability that exposes it
 * @param nemeses the faults that expose it
 * @param rules the rules that detect it, of which one is enough
 * @param edits the changes of the sources
 */
public record Mutant(
        String name, String topology, String durability, List<String> nemeses, Set<Rule> rules, List<Edit> edits) {

    /**
     * A change of a source or resource of the core.
     *
     * @param file the name of a source or script of the core, wherever it is below core/src/main
     * @param find a text that occurs exactly once; otherwise the edit is out of date and refused
     * @param replace the replacement
     */
    public record Edit(String file, String find, String replace) {

        String apply(String text) {
            int at = text.indexOf(find);
            if (at < 0 || text.indexOf(find, at + 1) >= 0) {
                throw new IllegalStateException("what is to be changed in " + file + " occurs "
                        + (at < 0 ? "no more" : "more than once") + ": " + find);
            }
            return text.substring(0, at) + replace + text.substring(at + find.length());
        }
    }
}
