package dev.leasehold.benchmarks.subject;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The ceiling: fair locks of the JDK, which know nothing of Redis and of other JVMs. */
public final class JdkSubject implements Subject {

    /** What it is called in the tables. */
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
