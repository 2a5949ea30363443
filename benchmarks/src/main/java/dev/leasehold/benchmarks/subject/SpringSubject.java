package dev.leasehold.benchmarks.subject;

import java.net.URI;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's lock registry over Lettuce, with all defaults except the way to wait: leases of 60 s, not
 * renewed.
 */
public final class SpringSubject implements Subject {

    /** The name in the tables when notified of a release by a message. */
    public static final String PUB_SUB = "Spring Integration pub/sub";

    /** The name in the tables when polling after a pause. */
    public static final String SPIN = "Spring Integration spin";

    private final RedisLockType kind;
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    /** Connects. */
    public SpringSubject(String uri, RedisLockType kind) {
        this.kind = kind;
        connections = connect(uri);
        registry = new RedisLockRegistry(connections, "spring");
        registry.setRedisLockType(kind);
    }

    /** Connects by Lettuce, with all defaults of Spring. */
    static LettuceConnectionFactory connect(String uri) {
        URI address = URI.create(uri);
        LettuceConnectionFactory connections =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(address.getHost(), address.getPort()));
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    @Override
    public String name() {
        return kind == RedisLockType.PUB_SUB_LOCK ? PUB_SUB : SPIN;
    }

    @Override
    public Grip grip(String lock) {
        return new RememberingGrip(registry.obtain(lock));
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
