package dev.leasehold.spi;

import dev.leasehold.Credentials;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the application's supplier for the credentials of new connections. Nothing is kept: each connection asks, and only
 * connections that are opened while a call is under way share its answer.
 *
 * <p>The supplier runs on a thread of its own, so it may block. At most one call is under way: while one exceeds its time, further
 * connections fail immediately, so that a supplier which never returns holds one thread and no more. Safe for use by any thread.
 */
public final class CredentialsSource {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialsSource.class);

    private final Supplier<Credentials> supplier;
    private final Duration limit;
    private final Executor afterLimit;
    private final TimeSource time = TimeSource.system();
    private final AtomicReference<@Nullable CompletableFuture<Credentials>> underWay = new AtomicReference<>();
    private final AtomicBoolean failing = new AtomicBoolean();

    /**
     * Asks nothing yet.
     *
     * @param supplier called by one thread at a time, not always the same one
     * @param limit how long a connection waits for its answer
     */
    public CredentialsSource(Supplier<Credentials> supplier, Duration limit) {
        this.supplier = supplier;
        this.limit = Objects.requireNonNull(limit, "limit");
        afterLimit = CompletableFuture.delayedExecutor(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
    }

    /**
     * Asks for the credentials of one connection. Does not block.
     *
     * @return the credentials. Fails with {@link TransportException} if the supplier throws, returns null, or does not return within
     *     the limit; the message names the supplier, and contains nothing of what it threw except the type
     */
    public CompletionStage<Credentials> ask() {
        return answer().copy();
    }

    /**
     * Asks for the credentials of one connection, and waits for them: for clients that block. An interrupt does not end the wait; the
     * interrupt status is kept.
     *
     * @param timeoutNanos how long to wait, if that is shorter than the limit
     * @return the credentials
     * @throws TransportException as {@link #ask()}, and if there is no answer in time
     */
    public Credentials await(long timeoutNanos) {
        CompletableFuture<Credentials> answer = answer();
        long deadline = time.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(deadline - time.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw failure(notReturned(TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof TransportException failure ? failure : failure("failed");
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private CompletableFuture<Credentials> answer() {
        CompletableFuture<Credentials> next = new CompletableFuture<>();
        CompletableFuture<Credentials> earlier = underWay.compareAndExchange(null, next);
        if (earlier != null) {
            return earlier;
        }
        Thread thread = new Thread(() -> supply(next), "leasehold-credentials");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            underWay.set(null);
            fail(next, "was not called: no thread could be started");
        }
        afterLimit.execute(() -> fail(next, notReturned(limit.toMillis())));
        return next;
    }

    private void supply(CompletableFuture<Credentials> answer) {
        Credentials given = null;
        String problem = "returned null";
        try {
            given = supplier.get();
        } catch (Throwable e) {
            problem = "threw " + type(e);
        }
        // Before the answer is given: a connection that is opened because of it asks again.
        underWay.set(null);
        if (given == null) {
            fail(answer, problem);
        } else if (answer.complete(given) && failing.getAndSet(false)) {
            LOG.info("The credentials supplier {} answers again", name());
        }
    }

    /** Returns the type and the origin of what the supplier threw. Its message may quote a token, so it is left out. */
    private static String type(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        return thrown.getClass().getSimpleName() + (stack.length == 0 ? "" : " at " + stack[0])
                + "; its message is left out, as it may contain a secret";
    }

    private static String notReturned(long millis) {
        return "has not returned within " + millis + " ms";
    }

    private void fail(CompletableFuture<Credentials> answer, String problem) {
        if (answer.completeExceptionally(failure(problem)) && !failing.getAndSet(true)) {
            LOG.warn(
                    "The credentials supplier {} {}. Connections that are open, and leases, are not affected. New connections fail "
                            + "until it answers",
                    name(),
                    problem);
        }
    }

    /** Messages of locks show only the beginning of this text. */
    private TransportException failure(String problem) {
        return new TransportException("credentials supplier " + name() + " " + problem, false, null);
    }

    private String name() {
        return supplier.getClass().getName();
    }

    /**
     * Returns the name of the supplier, without what it supplies.
     *
     * @return a text for logs
     */
    @Override
    public String toString() {
        return "CredentialsSource[" + name() + "]";
    }
}
