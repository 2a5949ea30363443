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
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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

    /**
     * The response of a stream. Its thread and the container may both end it, but one of them only, and never while the other uses it:
     * containers use the objects of an ended request again, so a write that comes late would be one to the response of somebody else.
     */
    static final class Response extends OutputStream implements AsyncListener {

        private final Lock lock = new ReentrantLock();
        private final ServletOutputStream out;
        private final AsyncContext async;
        private boolean ended;

        Response(ServletOutputStream out, AsyncContext async) {
            this.out = out;
            this.async = async;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            lock.lock();
            try {
                checkOpen();
                out.write(bytes, offset, length);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void flush() throws IOException {
            lock.lock();
            try {
                checkOpen();
                out.flush();
            } finally {
                lock.unlock();
            }
        }

        private void checkOpen() throws IOException {
            if (ended) {
                throw new IOException("the container has ended the stream");
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!ended) {
                    ended = true;
                    async.complete();
                }
            } catch (IllegalStateException e) {
                // A container that stops may end a request and tell nobody.
                LOG.debug("The container has ended the stream", e);
            } finally {
                lock.unlock();
            }
        }

        /** What nobody completes the container would dispatch again, to a page for errors. */
        @Override
        public void onError(AsyncEvent event) {
            close();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            close();
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
            Response events = new Response(out, async);
            async.addListener(events);
            begun = begin(events, () -> send(events, stream, condition));
        } finally {
            if (!begun) {
                stream.close();
            }
        }
    }

    private boolean begin(Response response, Runnable work) {
        try {
            threads.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("The application stops", e);
            response.close();
            return false;
        }
    }

    private static void send(Response response, ConsoleStream stream, BooleanSupplier condition) {
        try (response;
                stream) {
            stream.writeTo(response, condition);
        } catch (InterruptedException e) {
            // The application stops.
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.debug("The browser has left the console", e);
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
