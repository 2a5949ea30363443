package dev.leasehold.benchmarks.subject;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's locks with all defaults: {@code lock()}, renewed by its watchdog, and {@code unlock()}. */
public final class RedissonSubject implements Subject {

    /** The name of the plain lock in the tables. */
    public static final String NAME = "Redisson RLock";

    /** The name of the fair lock in the tables. */
    public static final String FAIR = "Redisson fair lock";

    /** The name of the spin lock in the tables. */
    public static final String SPIN = "Redisson spin lock";

    /** The name of the fenced lock in the tables. */
    public static final String FENCED = "Redisson fenced lock";

    /** The name of the read-write lock in the tables. */
    public static final String READ_WRITE = "Redisson read-write lock";

    /** The kinds of its locks. */
    public enum Kind {
        /** {@code getLock}: waits for a message of the release. */
        PLAIN(NAME),
        /** {@code getFairLock}: a queue in Redis. */
        FAIR(RedissonSubject.FAIR),
        /** {@code getSpinLock}: polls after a growing pause. */
        SPIN(RedissonSubject.SPIN),
        /** {@code getFencedLock}: like the plain one, with tokens. */
        FENCED(RedissonSubject.FENCED),
        /** {@code getReadWriteLock}. */
        READ_WRITE(RedissonSubject.READ_WRITE);

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    private final Kind kind;
    private final RedissonClient redisson;

    /** Connects, for plain locks. */
    public RedissonSubject(String uri) {
        this(uri, Kind.PLAIN);
    }

    /** Connects. */
    public RedissonSubject(String uri, Kind kind) {
        this(kind, ofServer(uri));
    }

    private RedissonSubject(Kind kind, Config config) {
        this.kind = kind;
        redisson = Redisson.create(config);
    }

    /** Connects to the cluster of which this is a node, for plain locks. */
    public static RedissonSubject ofCluster(String uri) {
        Config config = new Config();
        config.useClusterServers().addNodeAddress(uri);
        return new RedissonSubject(Kind.PLAIN, config);
    }

    private static Config ofServer(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        return config;
    }

    @Override
    public String name() {
        return kind.title;
    }

    @Override
    public Grip grip(String lock) {
        RLock view = view("redisson:" + lock);
        return new JdkGrip(view, view::isHeldByCurrentThread);
    }

    @Override
    public Grip reader(String lock) {
        RLock view = redisson.getReadWriteLock("redisson:" + lock).readLock();
        return new JdkGrip(view, view::isHeldByCurrentThread);
    }

    private RLock view(String key) {
        return switch (kind) {
            case PLAIN -> redisson.getLock(key);
            case FAIR -> redisson.getFairLock(key);
            case SPIN -> redisson.getSpinLock(key);
            case FENCED -> redisson.getFencedLock(key);
            case READ_WRITE -> redisson.getReadWriteLock(key).writeLock();
        };
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
