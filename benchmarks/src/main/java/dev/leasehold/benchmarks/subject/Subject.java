package dev.leasehold.benchmarks.subject;

/** One way to lock on Redis, connected to the server that all subjects of a run share. Safe for use by any thread. */
public interface Subject extends AutoCloseable {

    /** What it is called in the tables. */
    String name();

    /** A grip on the lock of this name, for one thread. */
    Grip grip(String lock);

    /** Closes its connections. */
    @Override
    void close();
}
