package dev.leasehold.simulation.mutant;

/**
 * A change of a source or resource of the core.
 *
 * @param file the name of a source or script of the core, wherever it is below core/src/main
 * @param find a text that occurs exactly once; otherwise the edit is out of date and refused
 * @param replace the replacement
 */
public record Edit(String file, String find, String replace) {

    /** Returns the changed text. */
    String apply(String text) {
        int at = text.indexOf(find);
        if (at < 0 || text.indexOf(find, at + 1) >= 0) {
            throw new IllegalStateException("what is to be changed in " + file + " occurs "
                    + (at < 0 ? "no more" : "more than once") + ": " + find);
        }
        return text.substring(0, at) + replace + text.substring(at + find.length());
    }
}
