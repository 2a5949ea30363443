package dev.leasehold.spi;

/**
 * Recognises event loops: threads that serve many callers and must not block. Adapters and integrations implement it for the
 * libraries that they know; {@link java.util.ServiceLoader} finds them when a client is built. On such a thread the client refuses
 * calls that wait and have an asynchronous form, and a release is sent without waiting for its answer.
 */
public interface EventLoops {

    /**
     * Returns whether the calling thread is an event loop. Called before each call that would wait, so it must be quick. Safe for use
     * by any thread.
     *
     * @return true if the calling thread must not block; false also if the library that it knows is not on the class path
     */
    boolean isOnEventLoop();
}
