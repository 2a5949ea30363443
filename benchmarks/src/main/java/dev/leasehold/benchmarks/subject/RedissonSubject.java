package dev.leasehold.benchmarks.subject;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's plain {@code RLock} with all defaults: {@code lock()}, renewed by its watchdog, and {@code unlock()}. */
public final class RedissonSubject implements Subject {

    /** What it is called in the tables. */
    public static final String NAME = "Redisson RLock";

    private final RedissonClient redisson;

    /** Connects. */
    public RedissonSubject(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        redisson = Redisson.create(config);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        RLock view = redisson.getLock("redisson:" + lock);
        return new JdkGrip(view, view::isHeldByCurrentThread);
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
