package dev.leasehold.cli.internal;

/** Checks of arguments before a subcommand uses them. */
public final class Arguments {

    private static final char REPLACEMENT = '\uFFFD';

    private Arguments() {}

    /**
     * Refuses a name that the JVM could not decode, and an empty name, as an unset variable gives. The core checks all
     * other rules once the client is connected.
     *
     * @param name the name of a lock
     * @throws CliException if the name is refused
     */
    public static void checkName(String name) {
        if (name.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "the name of the lock is empty: it must have 1 to 512 bytes");
        }
        check(name);
    }

    /**
     * Refuses arguments that the JVM could not decode. In a locale other than UTF-8, as under cron, every byte beyond
     * ASCII becomes the same replacement character: two names would become one lock, and the command would receive
     * other arguments than the user typed.
     *
     * @param arguments the arguments as the JVM decoded them
     * @throws CliException if an argument contains the replacement character
     */
    public static void check(String... arguments) {
        for (String argument : arguments) {
            if (argument.indexOf(REPLACEMENT) >= 0) {
                throw new CliException(
                        ExitCode.USAGE,
                        "'" + argument + "' has bytes that are not " + Text.CHARSET.name()
                                + ", the encoding of this locale: set LC_ALL=C.UTF-8, and write it in UTF-8");
            }
        }
    }
}
