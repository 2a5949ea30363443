package dev.leasehold.cli.internal;

import java.io.Console;

/** Whether somebody sits at the other end. */
final class Terminal {

    private Terminal() {}

    /** Whether both standard input and output are a terminal. From JDK 22 on a console may be none. */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isInteractive() {
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
