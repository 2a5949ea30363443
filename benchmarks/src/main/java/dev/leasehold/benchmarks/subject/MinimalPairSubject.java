package dev.leasehold.benchmarks.subject;

import java.util.UUID;

/** The minimal cost of a lock in a hash: a yardstick for scripts, and not a usable lock. */
public final class MinimalPairSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Minimal pair";

    private static final String ACQUIRE = """
            if redis.call('EXISTS', KEYS[1]) == 1 then
              return 0
            end
            redis.call('HSET', KEYS[1], 'owner', ARGV[1])
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return 1
            """;
    private static final String RELEASE = """
            if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then
              return 0
            end
            redis.call('DEL', KEYS[1])
            return 1
            """;
    private static final String LEASE_MILLIS = "30000";

    private final BareConnection connection;
    private final String acquire;
    private final String release;

    /** Connects. */
    public MinimalPairSubject(String uri) {
        connection = new BareConnection(uri);
        acquire = connection.load(ACQUIRE);
        release = connection.load(RELEASE);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        return new MinimalGrip("minimal:" + lock, UUID.randomUUID().toString());
    }

    @Override
    public void close() {
        connection.close();
    }

    private final class MinimalGrip implements Grip {

        private final String[] keys;
        private final String[] acquireArgs;
        private final String[] releaseArgs;
        private boolean held;

        MinimalGrip(String key, String owner) {
            keys = new String[] {key};
            acquireArgs = new String[] {owner, LEASE_MILLIS};
            releaseArgs = new String[] {owner};
        }

        @Override
        public void acquire() {
            while (!tryAcquire()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean tryAcquire() {
            held = connection.number(acquire, keys, acquireArgs) == 1;
            return held;
        }

        @Override
        public boolean held() {
            return held;
        }

        @Override
        public void release() {
            held = false;
            if (connection.number(release, keys, releaseArgs) != 1) {
                throw new IllegalStateException("the lock was not held any more");
            }
        }
    }
}
