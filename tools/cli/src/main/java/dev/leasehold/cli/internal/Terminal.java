package dev.leasehold.cli.internal;

import java.io.Console;

/** Detects a terminal on which a user can answer. */
public final class Terminal {

    private Terminal() {}

    /**
     * Returns whether both standard input and output are a terminal. From JDK 22 on a console may be no terminal.
     *
     * @return whether a user can answer
     */
    @SuppressWarnings("SystemConsoleNull")
    public static boolean isInteractive() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException olderThan22) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
