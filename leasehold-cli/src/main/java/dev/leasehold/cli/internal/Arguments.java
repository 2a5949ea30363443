package dev.leasehold.cli.internal;

/** What has to be checked before an argument is believed. */
public final class Arguments {

    private static final char REPLACEMENT = '\uFFFD';

    private Arguments() {}

    /**
     * Refuses a name that the JVM could not read, or that is not there at all, as from an unset variable. All other
     * rules are checked by the core, once connected.
     *
     * @param name the name of a lock
     * @throws CliException if it is refused
     */
    public static void checkName(String name) {
        if (name.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "the name of the lock is empty: it must have 1 to 512 bytes");
        }
        check(name);
    }

    /**
     * Refuses arguments that the JVM could not read. In a locale other than UTF-8, as under cron, every byte beyond
     * ASCII becomes the same replacement character: two names would become one lock, and a command would get other
     * arguments than it was given.
     *
     * @param arguments as the JVM handed them over
     * @throws CliException if one has the replacement character
     */
    public static void check(String... arguments) {
        for (String argument : arguments) {
            if (argument.indexOf(REPLACEMENT) >= 0) {
                throw new CliException(
                        ExitCode.USAGE,
                        "'" + argument + "' has bytes that are no " + Text.CHARSET.name()
                                + ", the encoding of this locale: set LC_ALL=C.UTF-8, and write it in UTF-8");
            }
        }
    }
}
