package dev.leasehold.console;

import dev.leasehold.console.internal.view.Screens.Screen;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The states of one screen, for one browser. The console reads Redis as long as a stream is open: close it. A reader that is slow
 * skips states. For one thread at a time; {@link #close} for any.
 */
public final class ConsoleStream implements AutoCloseable {

    private final Screen screen;
    private final AtomicBoolean closed = new AtomicBoolean();
    private long seen = -1;

    ConsoleStream(Screen screen) {
        this.screen = screen;
        screen.observation().enter();
    }

    /**
     * Returns the next state: the first at once, each further one after the next refresh.
     *
     * @param limit the longest wait
     * @return a JSON object on one line, or empty if there was no refresh within the limit
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Optional<String> next(Duration limit) throws InterruptedException {
        if (!screen.observation().await(seen, limit)) {
            return Optional.empty();
        }
        seen = screen.observation().version();
        return Optional.of(screen.json().get());
    }

    /** Ends the stream. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            screen.observation().leave();
        }
    }
}
