package dev.leasehold.benchmarks.subject;

import java.util.Arrays;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** All contestants, each under a word that a child JVM understands. */
public enum Contestant {
    /** Leasehold's leases. */
    LEASEHOLD(LeaseSubject.NAME),
    /** Leasehold as a {@code Lock} of the JDK. */
    LEASEHOLD_LOCK(LockSubject.NAME),
    /** Leasehold's fair lock. */
    LEASEHOLD_FAIR(LeaseSubject.FAIR),
    /** Leasehold's read-write lock. */
    LEASEHOLD_READ_WRITE(LeaseSubject.READ_WRITE),
    /** Leasehold's leases, kept by the client after a release. */
    LEASEHOLD_RETAINED(LeaseSubject.RETAINED),
    /** Redisson's plain lock. */
    REDISSON(RedissonSubject.NAME),
    /** Redisson's fair lock. */
    REDISSON_FAIR(RedissonSubject.FAIR),
    /** Redisson's spin lock. */
    REDISSON_SPIN(RedissonSubject.SPIN),
    /** Redisson's fenced lock. */
    REDISSON_FENCED(RedissonSubject.FENCED),
    /** Redisson's read-write lock. */
    REDISSON_READ_WRITE(RedissonSubject.READ_WRITE),
    /** Spring Integration, notified of a release by a message. */
    SPRING(SpringSubject.PUB_SUB),
    /** Spring Integration, polling after a pause. */
    SPRING_SPIN(SpringSubject.SPIN),
    /** ShedLock, which never waits. */
    SHEDLOCK(ShedLockSubject.NAME),
    /** The lock that articles teach. */
    JEDIS(JedisSubject.NAME),
    /** Leasehold's scripts without Leasehold. */
    FLOOR(BareScriptsSubject.NAME),
    /** The minimal cost of scripts. */
    MINIMAL(MinimalPairSubject.NAME),
    /** A lock within one JVM. */
    JDK(JdkSubject.NAME);

    private static final int HOLDING_THREADS = 16;

    private final String title;

    Contestant(String title) {
        this.title = title;
    }

    /** Returns its name in the tables. */
    public String title() {
        return title;
    }

    /** Connects to the server at this URI. */
    public Subject connect(String uri) {
        return switch (this) {
            case LEASEHOLD -> new LeaseSubject(uri);
            case LEASEHOLD_LOCK -> new LockSubject(uri);
            case LEASEHOLD_FAIR -> LeaseSubject.fair(uri);
            case LEASEHOLD_READ_WRITE -> LeaseSubject.readWrite(uri);
            case LEASEHOLD_RETAINED -> LeaseSubject.retained(uri);
            case REDISSON -> new RedissonSubject(uri);
            case REDISSON_FAIR -> new RedissonSubject(uri, RedissonSubject.Kind.FAIR);
            case REDISSON_SPIN -> new RedissonSubject(uri, RedissonSubject.Kind.SPIN);
            case REDISSON_FENCED -> new RedissonSubject(uri, RedissonSubject.Kind.FENCED);
            case REDISSON_READ_WRITE -> new RedissonSubject(uri, RedissonSubject.Kind.READ_WRITE);
            case SPRING -> new SpringSubject(uri, RedisLockType.PUB_SUB_LOCK);
            case SPRING_SPIN -> new SpringSubject(uri, RedisLockType.SPIN_LOCK);
            case SHEDLOCK -> new ShedLockSubject(uri);
            case JEDIS -> new JedisSubject(uri);
            case FLOOR -> new BareScriptsSubject(uri);
            case MINIMAL -> new MinimalPairSubject(uri);
            case JDK -> new JdkSubject();
        };
    }

    /**
     * Connects to the cluster of which this is a node.
     *
     * @throws IllegalArgumentException if that is not measured
     */
    public Subject connectToCluster(String uri) {
        return switch (this) {
            case LEASEHOLD -> new LeaseSubject(uri);
            case REDISSON -> RedissonSubject.ofCluster(uri);
            default -> throw new IllegalArgumentException(title + " is not measured on a cluster");
        };
    }

    /**
     * Returns the Redis key of the lock of this name.
     *
     * @throws IllegalArgumentException if that is not known
     */
    public String key(String lock) {
        return switch (this) {
            case LEASEHOLD -> "leasehold:{lease:" + lock + "}";
            case REDISSON -> "redisson:" + lock;
            default -> throw new IllegalArgumentException("no scenario has needed the keys of " + title);
        };
    }

    /** Returns whether it is Leasehold's own, and so must not fail where a peer may. */
    public boolean ours() {
        return title.startsWith("Leasehold");
    }

    /**
     * Returns how many threads of one JVM may hold many locks together. Spring Integration has 256 local locks for
     * all names, so that one thread blocks others from names that are free.
     */
    public int holdingThreads() {
        return this == SPRING || this == SPRING_SPIN ? 1 : HOLDING_THREADS;
    }

    /** Returns those with this text in their title. */
    public static List<Contestant> with(String text, Contestant... all) {
        return Arrays.stream(all).filter(one -> one.title.contains(text)).toList();
    }
}
