package dev.leasehold.benchmarks.subject;

/**
 * One implementation of locks on Redis, connected to the server that all subjects of a run share. Safe for use by
 * any thread.
 */
public interface Subject extends AutoCloseable {

    /** Returns its name in the tables. */
    String name();

    /** Returns a grip on the lock of this name, for one thread. */
    Grip grip(String lock);

    /**
     * Returns a grip on the read side of the lock of this name, for one thread.
     *
     * @throws UnsupportedOperationException if its locks have none
     */
    default Grip reader(String lock) {
        throw new UnsupportedOperationException(name() + " has no read side");
    }

    /** Closes its connections. */
    @Override
    void close();
}
