package dev.leasehold.diagnostics;

/**
 * One result of the checks of a server.
 *
 * @param level how serious it is
 * @param subject the subject, a short stable word such as {@code maxmemory-policy}
 * @param text the finding in words
 * @param remedy the recommended action, empty if there is none
 */
public record Finding(Level level, String subject, String text, String remedy) {

    /** The severity of a finding. */
    public enum Level {
        /** As it should be. */
        FINE,
        /** Works, but weakens a guarantee. */
        WARNING,
        /** Locks may be lost or cannot work. */
        DANGER
    }
}
