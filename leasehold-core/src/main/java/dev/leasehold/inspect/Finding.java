package dev.leasehold.inspect;

/**
 * One thing that the preflight found out about a server.
 *
 * @param level how serious it is
 * @param subject what it is about, a short stable word such as {@code maxmemory-policy}
 * @param text what was found, in words
 * @param remedy what to do about it, empty if nothing
 */
public record Finding(Level level, String subject, String text, String remedy) {

    /** How serious a finding is. */
    public enum Level {
        /** As it should be. */
        FINE,
        /** Works, but weakens what is promised. */
        WARNING,
        /** Locks may be lost or cannot work. */
        DANGER
    }
}
