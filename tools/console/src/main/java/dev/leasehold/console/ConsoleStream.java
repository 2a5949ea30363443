package dev.leasehold.console;

import dev.leasehold.console.internal.view.Screens.Screen;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * The states of one screen, for one browser. The console reads Redis as long as a stream is open: close it. A reader that is slow
 * skips states. For one thread at a time; {@link #close} for any.
 */
public final class ConsoleStream implements ConsoleAnswer, AutoCloseable {

    /** The type of what {@link #writeTo} writes. */
    public static final String CONTENT_TYPE = "text/event-stream; charset=utf-8";

    /** After this time a comment is sent, which fails if the browser is gone. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final Screen screen;
    private final AtomicBoolean closed = new AtomicBoolean();
    private Runnable onClose = () -> {};
    private long seen = -1;

    ConsoleStream(Screen screen) {
        this.screen = screen;
        screen.observation().enter();
    }

    /** Sets what runs once when the stream is closed; before the stream is passed on. */
    void onClose(Runnable action) {
        onClose = action;
    }

    /**
     * Returns the next state: the first at once, each further one after the next refresh.
     *
     * @param limit the longest wait
     * @return a JSON object on one line, or empty if there was no refresh within the limit
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Optional<String> next(Duration limit) throws InterruptedException {
        if (!screen.observation().await(seen, Objects.requireNonNull(limit, "limit"))) {
            return Optional.empty();
        }
        seen = screen.observation().version();
        return Optional.of(screen.json().get());
    }

    /**
     * Writes the states as server-sent events until the condition no longer holds, which is checked at least every 5 s. Then it asks
     * the page to open a new stream.
     *
     * @param out where the events go; flushed after each
     * @param condition whether the user may still see them
     * @throws IOException if the browser is gone
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void writeTo(OutputStream out, BooleanSupplier condition) throws IOException, InterruptedException {
        while (condition.getAsBoolean()) {
            write(out, next(SILENCE).map(json -> "data: " + json).orElse(":"));
        }
        write(out, "event: end\ndata:");
    }

    private static void write(OutputStream out, String event) throws IOException {
        out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Ends the stream. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            screen.observation().leave();
            onClose.run();
        }
    }
}
