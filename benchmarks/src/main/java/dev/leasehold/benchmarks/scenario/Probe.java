package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Checks, outside of the measurement, whether a subject provides mutual exclusion: a fast lock with two holders is
 * no lock.
 */
public final class Probe {

    private static final long LIMIT_SECONDS = 60;

    private Probe() {}

    /** Checks that each lock is free, then held, refused to another thread, free again, and granted to the other. */
    public static void check(Subject subject, List<String> names) {
        ExecutorService other = Executors.newSingleThreadExecutor(Crew.threads("another"));
        try {
            for (String name : names) {
                check(subject, name, other);
            }
        } finally {
            other.shutdownNow();
        }
    }

    private static void check(Subject subject, String name, ExecutorService other) {
        String what = subject.name() + ", " + name + ": ";
        Grip own = subject.grip(name);
        demand(own.tryAcquire(), what + "the lock should have been free");
        demand(own.held(), what + "the lock was acquired, and is not held");
        Grip theirs = subject.grip(name);
        demand(!ask(other, theirs::tryAcquire), what + "the lock is held, and another thread got it too");
        demand(own.held(), what + "the lock is not held any more");
        own.release();
        demand(!own.held(), what + "the lock was released, and is still held");
        demand(ask(other, theirs::tryAcquire), what + "the lock was released, and another thread did not get it");
        ask(other, () -> {
            theirs.release();
            return true;
        });
    }

    static void demand(boolean condition, String otherwise) {
        if (!condition) {
            throw new IncorrectException(otherwise);
        }
    }

    private static boolean ask(ExecutorService other, Callable<Boolean> question) {
        try {
            return other.submit(question).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IncorrectException("another thread failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IncorrectException("another thread has waited for " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
