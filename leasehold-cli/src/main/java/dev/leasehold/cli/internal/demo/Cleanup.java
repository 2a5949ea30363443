package dev.leasehold.cli.internal.demo;

/** Closes something when the JVM is told to end before that was done, by Ctrl-C for example. */
final class Cleanup implements AutoCloseable {

    private final Thread hook;

    private Cleanup(Thread hook) {
        this.hook = hook;
    }

    static Cleanup of(Demo demo) {
        Thread hook = new Thread(demo::close, "demo-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        return new Cleanup(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs.
        }
    }
}
