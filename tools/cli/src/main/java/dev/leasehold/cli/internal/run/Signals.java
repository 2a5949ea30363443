package dev.leasehold.cli.internal.run;

import dev.leasehold.cli.internal.ExitCode;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Receives the signals that are meant for the command, and handles them according to the phase of the run. Signals that
 * were ignored when this process started, as under nohup, stay ignored. Thread-safe.
 */
final class Signals {

    private static final List<String> NAMES = List.of("HUP", "INT", "TERM", "USR1", "USR2");

    private enum Phase {
        /** No lock is held: a signal ends this process. */
        CONNECTING,
        /** A signal ends the wait for the lock. */
        WAITING,
        /** The lock is held: a signal is kept for the command. */
        STARTING,
        /** A signal is passed on. */
        RUNNING,
        /** The release follows, which must not be interrupted: signals are ignored. */
        ENDING
    }

    private final ReentrantLock state = new ReentrantLock();
    private final Thread main = Thread.currentThread();
    private Phase phase = Phase.CONNECTING;
    private @Nullable Guard guard;
    private @Nullable Signal first;

    private Signals() {}

    /** Installs the handlers. The calling thread is the one that will wait for the lock. */
    static Signals listen() {
        Signals signals = new Signals();
        for (String name : NAMES) {
            Signal.handle(name, signals::handle);
        }
        return signals;
    }

    /** Enters the phase in which a signal interrupts the main thread. */
    void waiting() {
        enter(Phase.WAITING);
    }

    /** Ends the wait. Returns the exit code for a signal that arrived during it, or 0. */
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

    /** Passes signals to the command from now on; the first one that arrived earlier is passed immediately. */
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

    /** Ignores signals from now on. */
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
                // Halts rather than exits: there is nothing to release, and a connection attempt may block.
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
