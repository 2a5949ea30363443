package dev.leasehold.cli.internal;

/** The exit codes of the command line. Codes from 64 on follow BSD's sysexits. */
public final class ExitCode {

    /** The command succeeded. */
    public static final int OK = 0;

    /**
     * The answer is no: a danger or a deadlock was found, the lock to show is free, the demonstration failed, or the lock was not
     * released.
     */
    public static final int NO = 1;

    /** The command line, a name, a time or a URI breaks a rule. */
    public static final int USAGE = 64;

    /** The lock's key holds a value that is not a lock of this version. */
    public static final int FOREIGN_KEY = 65;

    /** Redis cannot be reached, does not answer, or refuses. */
    public static final int UNAVAILABLE = 69;

    /** A bug in the command line. */
    public static final int SOFTWARE = 70;

    /** Another client holds the lock. */
    public static final int BUSY = 75;

    /** The lease was lost while the command ran. */
    public static final int LOST = 76;

    /** The command to run cannot be executed, as in a shell. */
    public static final int NOT_EXECUTABLE = 126;

    /** The command to run was not found, as in a shell. */
    public static final int NOT_FOUND = 127;

    private static final int SIGNAL_BASE = 128;

    private ExitCode() {}

    /**
     * Returns the exit code of a process that a signal ended, as in a shell.
     *
     * @param number the number of the signal
     * @return 128 plus the number
     */
    public static int ofSignal(int number) {
        return SIGNAL_BASE + number;
    }
}
