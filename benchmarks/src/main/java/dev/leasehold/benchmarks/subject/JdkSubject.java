package dev.leasehold.benchmarks.subject;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The ceiling: fair locks of the JDK, within one JVM and without Redis. */
public final class JdkSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Ceiling: fair ReentrantLock";

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        ReentrantLock view = locks.computeIfAbsent(lock, name -> new ReentrantLock(true));
        return new JdkGrip(view, view::isHeldByCurrentThread);
    }

    @Override
    public void close() {
        locks.clear();
    }
}
