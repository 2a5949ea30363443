package dev.leasehold.cli.internal.demo;

/** Closes the demonstration in a shutdown hook if the JVM ends early, for example after Ctrl-C. */
final class Cleanup implements AutoCloseable {

    private final Thread hook;

    private Cleanup(Thread hook) {
        this.hook = hook;
    }

    static Cleanup of(Runnable close) {
        Thread hook = new Thread(close, "demo-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        return new Cleanup(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook runs.
        }
    }
}
