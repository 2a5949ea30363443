package dev.leasehold.springdata;

import dev.leasehold.spi.TimeSource;
import java.util.Objects;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Tells which client is beneath a factory. By the names of its classes, since only the client that the application has is
 * on its class path, and the classes for the other must not be touched.
 */
final class Factories {

    private static final String PACKAGE = "org.springframework.data.redis.connection.";

    private Factories() {}

    static Wires wires(RedisConnectionFactory factory, TimeSource time) {
        for (Class<?> type = Objects.requireNonNull(factory, "factory").getClass();
                type != null;
                type = type.getSuperclass()) {
            if (type.getName().equals(PACKAGE + "lettuce.LettuceConnectionFactory")) {
                return LettuceWires.of(factory, time);
            }
            if (type.getName().equals(PACKAGE + "jedis.JedisConnectionFactory")) {
                return JedisWires.of(factory);
            }
        }
        throw new IllegalArgumentException("The given connection factory is a "
                + factory.getClass().getName() + ", whose settings Leasehold cannot read: pass a "
                + "LettuceConnectionFactory or a JedisConnectionFactory, not what is wrapped around one, or hand another "
                + "transport to Leasehold.builder().transport(...)");
    }
}
