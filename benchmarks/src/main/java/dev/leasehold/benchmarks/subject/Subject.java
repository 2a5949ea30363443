package dev.leasehold.benchmarks.subject;

/** One way to lock on Redis, connected to the server that all subjects of a run share. Safe for use by any thread. */
public interface Subject extends AutoCloseable {

    /** What it is called in the tables. */
    String name();

    /** A grip on the lock of this name, for one thread. */
    Grip grip(String lock);

    /**
     * A grip on the readers' side of the lock of this name, for one thread.
     *
     * @throws UnsupportedOperationException if its locks have none
     */
    default Grip reader(String lock) {
        throw new UnsupportedOperationException(name() + " has no side for readers");
    }

    /** Closes its connections. */
    @Override
    void close();
}
