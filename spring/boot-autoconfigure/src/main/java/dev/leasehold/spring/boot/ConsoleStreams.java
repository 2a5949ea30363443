package dev.leasehold.spring.boot;

import dev.leasehold.console.ConsoleStream;
import dev.leasehold.spi.TimeSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Sends the events of open pages. Each stream has a thread of its own, of which the console permits 16, and none of the container's.
 * A stream ends with the session of its user, and after 5 minutes: the page opens a new one, which the security of the application
 * checks anew. All streams end before the web server begins its graceful shutdown, which would wait for them.
 */
final class ConsoleStreams implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final TimeSource time = TimeSource.system();
    private final AtomicInteger number = new AtomicInteger();
    private volatile ExecutorService threads = threads();

    private ExecutorService threads() {
        return Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "leasehold-console-events-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Completes what the container reports as failed; otherwise it would dispatch the request again, to a page for errors. */
    private static final class CompleteOnError implements AsyncListener {
        @Override
        public void onError(AsyncEvent event) {
            complete(event.getAsyncContext());
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            complete(event.getAsyncContext());
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    /** Sends the events of a stream, and closes it at its end. */
    void open(HttpServletRequest request, HttpServletResponse response, ConsoleStream stream) throws IOException {
        boolean begun = false;
        try {
            BooleanSupplier condition = condition(request.getSession(false));
            response.setContentType(ConsoleStream.CONTENT_TYPE);
            // nginx would collect the events.
            response.setHeader("X-Accel-Buffering", "no");
            ServletOutputStream out = response.getOutputStream();
            // The filters before add their headers on this thread, not on two at a time.
            response.flushBuffer();
            AsyncContext async = request.startAsync(request, response);
            async.setTimeout(0);
            async.addListener(new CompleteOnError());
            begun = begin(async, () -> send(async, out, stream, condition));
        } finally {
            if (!begun) {
                stream.close();
            }
        }
    }

    private boolean begin(AsyncContext async, Runnable work) {
        try {
            threads.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The application stops", e);
            complete(async);
            return false;
        }
    }

    private static void send(
            AsyncContext async, ServletOutputStream out, ConsoleStream stream, BooleanSupplier condition) {
        try (stream) {
            stream.writeTo(out, condition);
        } catch (InterruptedException e) {
            // The application stops.
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("The browser has left the console", e);
        } finally {
            complete(async);
        }
    }

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            // After an error both this thread and the container end the request, and the second finds it ended.
            LOG.debug("The container has ended the stream", e);
        }
    }

    private BooleanSupplier condition(@Nullable HttpSession session) {
        long start = time.nanoTime();
        return () -> time.nanoTime() - start < LONGEST.toNanos() && (session == null || isValid(session));
    }

    private static boolean isValid(HttpSession session) {
        try {
            return session.getCreationTime() >= 0;
        } catch (IllegalStateException e) {
            // So the API reports an invalidated session.
            return false;
        }
    }

    @Override
    public void start() {
        if (threads.isShutdown()) {
            threads = threads();
        }
    }

    @Override
    public void stop() {
        threads.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return !threads.isShutdown();
    }
}
