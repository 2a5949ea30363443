package dev.leasehold.cli.internal.run;

import dev.leasehold.cli.internal.ExitCode;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hears the signals that are meant for the command. What becomes of one depends on how far things are. Signals that
 * were ignored when this process started, as under nohup, stay ignored. Thread-safe.
 */
final class Signals {

    private static final List<String> NAMES = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private enum Phase {
        /** Nothing is held: a signal ends this process. */
        CONNECTING,
        /** A signal ends the wait for the lock. */
        WAITING,
        /** The lock is held: a signal is kept for the command. */
        STARTING,
        /** A signal is passed on. */
        RUNNING,
        /** What remains to be done is short, and must be done. */
        ENDING
    }

    private final ReentrantLock state = new ReentrantLock();
    private final Thread main = Thread.currentThread();
    private Phase phase = Phase.CONNECTING;
    private @Nullable Guard guard;
    private @Nullable Signal first;

    private Signals() {}

    /** Hears signals from now on. The calling thread is the one that will wait for the lock. */
    static Signals listen() {
        Signals signals = new Signals();
        for (String name : NAMES) {
            Signal.hear(name, signals::handle);
        }
        return signals;
    }

    /** From now on a signal interrupts the main thread. */
    void waiting() {
        enter(Phase.WAITING);
    }

    /** The wait is over. Returns the exit code for a signal that came during it, or 0. */
    int waited() {
        state.lock();
        try {
            phase = Phase.STARTING;
            if (first == null) {
                return 0;
            }
            Thread.interrupted();
            return ExitCode.ofSignal(first.number());
        } finally {
            state.unlock();
        }
    }

    /** From now on signals go to the command; the first that came too early for that goes at once. */
    void running(Guard newGuard) {
        state.lock();
        try {
            phase = Phase.RUNNING;
            guard = newGuard;
            if (first != null) {
                newGuard.passOn(first.name());
            }
        } finally {
            state.unlock();
        }
    }

    /** From now on signals change nothing. */
    void ending() {
        enter(Phase.ENDING);
    }

    private void enter(Phase next) {
        state.lock();
        try {
            phase = next;
        } finally {
            state.unlock();
        }
    }

    private void handle(Signal signal) {
        state.lock();
        try {
            switch (phase) {
                // Halts rather than exits: there is nothing to give back, and a connection attempt may block.
                case CONNECTING -> Runtime.getRuntime().halt(ExitCode.ofSignal(signal.number()));
                case WAITING -> {
                    first = signal;
                    main.interrupt();
                }
                case STARTING -> first = signal;
                case RUNNING -> passOn(signal.name());
                case ENDING -> {}
            }
        } finally {
            state.unlock();
        }
    }

    private void passOn(String name) {
        if (guard != null) {
            guard.passOn(name);
        }
    }
}
