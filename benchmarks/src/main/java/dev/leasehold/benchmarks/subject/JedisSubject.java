package dev.leasehold.benchmarks.subject;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/**
 * The lock that articles teach, over a pool of Jedis connections: {@code SET NX PX} with a random value, a script
 * that deletes the key if it still has that value, and a pause of 10 ms between two attempts. Nothing is renewed.
 * The bare pair is the same without the pause.
 */
public final class JedisSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Articles' lock (Jedis, 10 ms)";

    /** The name of the bare pair in the tables. */
    public static final String BARE = "Bare SET NX PX pair (Jedis)";

    private static final int CONNECTIONS = 64;
    private static final long LEASE_MILLIS = 30_000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final String RELEASE = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then
              return 0
            end
            return redis.call('DEL', KEYS[1])
            """;

    private final RedisClient client;
    private final String release;
    private final String title;
    private final long pauseNanos;

    /** Connects. */
    public JedisSubject(String uri) {
        this(uri, NAME, PAUSE_NANOS);
    }

    /** Connects, for the bare pair. */
    public static JedisSubject bare(String uri) {
        return new JedisSubject(uri, BARE, 0);
    }

    private JedisSubject(String uri, String title, long pauseNanos) {
        this.title = title;
        this.pauseNanos = pauseNanos;
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        URI address = URI.create(uri);
        client = RedisClient.builder()
                .hostAndPort(address.getHost(), address.getPort())
                .poolConfig(pool)
                .build();
        release = client.scriptLoad(RELEASE);
    }

    @Override
    public String name() {
        return title;
    }

    @Override
    public Grip grip(String lock) {
        return new PollingGrip("articles:" + lock);
    }

    @Override
    public void close() {
        client.close();
    }

    private final class PollingGrip implements Grip {

        private final String key;
        private String value = "";

        PollingGrip(String key) {
            this.key = key;
        }

        @Override
        public void acquire() throws InterruptedException {
            while (!tryAcquire()) {
                LockSupport.parkNanos(pauseNanos);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }

        @Override
        public boolean tryAcquire() {
            value = UUID.randomUUID().toString();
            boolean taken = client.set(key, value, new SetParams().nx().px(LEASE_MILLIS)) != null;
            if (!taken) {
                value = "";
            }
            return taken;
        }

        @Override
        public boolean held() {
            return !value.isEmpty();
        }

        @Override
        public void release() {
            Object deleted = client.evalsha(release, List.of(key), List.of(value));
            value = "";
            if (!Long.valueOf(1).equals(deleted)) {
                throw new IllegalStateException("the lock was not held any more");
            }
        }
    }
}
