package dev.leasehold.cli.internal;

import java.util.regex.Pattern;

/** Checks of arguments before a subcommand uses them. */
public final class Arguments {

    private static final char REPLACEMENT = '\uFFFD';

    /** The beginning of a URI of Redis, also of one whose slashes a shell or a Path has joined. */
    private static final Pattern URI = Pattern.compile("^rediss?(-[a-z]+)?:/", Pattern.CASE_INSENSITIVE);

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
        refuseUri("the name of the lock", name);
        check(name);
    }

    /**
     * Refuses a URI where something else belongs, before any message repeats it: it may have a password.
     *
     * @param what the argument
     * @param value its value
     * @throws CliException if the value is a URI of Redis
     */
    static void refuseUri(String what, String value) {
        if (URI.matcher(value).find()) {
            throw new CliException(
                    ExitCode.USAGE,
                    what + " is a URI, and not repeated here as it may have a password: a URI belongs behind --redis");
        }
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
