package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.ExitCode;
import java.io.IOError;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jline.terminal.Size;

/**
 * The loop of the live view. One thread owns model, controls and screen, and takes events from a queue: keys, readings,
 * and signals. The keys and the readings have threads of their own, so that a server that does not answer never delays a key.
 */
final class LiveTop {

    private final TopModel model;
    private final TopControls controls;
    private final TopScreen drawing;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Something that changes the view, on the thread of the loop. */
    private interface Event {
        /** Returns false if the live view ends. */
        boolean apply();
    }

    private boolean resized = true;
    private int exitCode = ExitCode.OK;

    LiveTop(TopModel model, TopControls controls, TopScreen drawing) {
        this.model = model;
        this.controls = controls;
        this.drawing = drawing;
    }

    /** Ends the live view with an exit code, from any thread. */
    void leave(int code) {
        events.add(() -> {
            exitCode = code;
            return false;
        });
    }

    /** Has the view drawn anew in the size that the terminal has then, from any thread. */
    void resize() {
        events.add(() -> {
            resized = true;
            return true;
        });
    }

    /** Shows the view until the user leaves, and returns the exit code. */
    int show(TerminalScreen screen, Poller poller) throws InterruptedException {
        Thread keys = new Thread(() -> readKeys(screen.keys()), "top-keys");
        keys.setDaemon(true);
        keys.start();
        try (poller) {
            poller.start(this::read);
            Size size = screen.size();
            do {
                if (resized) {
                    size = screen.size();
                    resized = false;
                }
                screen.show(drawing.draw(model, controls, size.getColumns(), size.getRows()), size);
            } while (applyAll(events.take()));
            return exitCode;
        } finally {
            // Each read of JLine sets the terminal to raw mode, if it is not: none may begin while the screen restores
            // it.
            keys.interrupt();
            keys.join();
        }
    }

    /** Applies all events that wait, so that they are drawn at once. */
    private boolean applyAll(Event first) {
        for (Event event = first; event != null; event = events.poll()) {
            if (!event.apply()) {
                return false;
            }
        }
        return true;
    }

    private void read(Reading reading) {
        events.add(() -> {
            reading.into(model);
            return true;
        });
    }

    private void readKeys(KeyDecoder decoder) {
        try {
            Key key;
            do {
                Key pressed = decoder.next();
                events.add(() -> controls.press(pressed));
                key = pressed;
            } while (key.kind() != Key.Kind.END_OF_INPUT);
        } catch (IOException | IOError e) {
            // The latter: the read was interrupted while it ran stty(1).
            events.add(() -> controls.press(Key.of(Key.Kind.END_OF_INPUT)));
        }
    }
}
