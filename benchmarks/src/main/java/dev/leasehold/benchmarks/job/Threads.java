package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.IncorrectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The threads of one job. Keeps the first failure, and the number of failures. */
final class Threads implements AutoCloseable {

    private static final long PATIENCE_NANOS = 5_000_000_000L;
    private static final long LOOK_MILLIS = 50;

    private final List<Thread> all = new ArrayList<>();
    private @Nullable IncorrectException incorrect;
    private @Nullable Throwable error;
    private int errors;

    /** The work of a thread. */
    interface Task {
        void run() throws InterruptedException;
    }

    /** Starts a thread. */
    void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (Throwable e) {
                        failed(e);
                    }
                },
                name);
        thread.setDaemon(true);
        all.add(thread);
        thread.start();
    }

    /** Records a failure. */
    synchronized void failed(Throwable e) {
        errors++;
        if (e instanceof IncorrectException wrong && incorrect == null) {
            incorrect = wrong;
        }
        if (error == null) {
            error = e;
        }
    }

    /** Throws if a lock violated mutual exclusion; other errors are only counted. */
    synchronized void requireCorrect() {
        if (incorrect != null) {
            throw incorrect;
        }
    }

    synchronized int errors() {
        return errors;
    }

    synchronized String firstError() {
        return error == null ? "" : String.valueOf(error);
    }

    /** Waits for the end of all threads until this moment; returns early when a lock has violated mutual exclusion. */
    boolean awaitEnd(long deadline) throws InterruptedException {
        for (Thread thread : all) {
            while (thread.isAlive() && !isIncorrect() && deadline - System.nanoTime() > 0) {
                thread.join(Math.min(LOOK_MILLIS, (deadline - System.nanoTime()) / 1_000_000 + 1));
            }
            if (thread.isAlive()) {
                return false;
            }
        }
        return true;
    }

    private synchronized boolean isIncorrect() {
        return incorrect != null;
    }

    /** Waits until this moment. */
    static void until(long moment) throws InterruptedException {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void close() {
        all.forEach(Thread::interrupt);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try {
            for (Thread thread : all) {
                thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
