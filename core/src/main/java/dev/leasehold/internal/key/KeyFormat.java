package dev.leasehold.internal.key;

import dev.leasehold.LockFormat;
import java.util.Locale;

/** A format by the keys that it makes of the names of locks. */
public sealed interface KeyFormat extends LockFormat {

    /**
     * Returns the key of a lock.
     *
     * @param prefix the prefix of keys in the format of this library
     * @throws IllegalArgumentException if the name breaks the rule
     */
    LockKey key(KeyPrefix prefix, String name);

    /** Returns the type of the keys, as SCAN names it. */
    String type();

    /** Returns what stands before the name in each key of a format of others. */
    default String head() {
        return "";
    }

    /** The formats without settings, which {@code toString()} names as settings do. */
    enum Word implements KeyFormat {
        /** {@link LockFormat#leasehold()}. */
        LEASEHOLD("hash"),
        /** {@link dev.leasehold.interop.Formats#plain()}. */
        PLAIN("string"),
        /** {@link dev.leasehold.interop.Formats#plainAnyValue()}. */
        PLAIN_ANY_VALUE("string"),
        /** {@link dev.leasehold.interop.Formats#redisson()}. */
        REDISSON("hash"),
        /** {@link dev.leasehold.interop.Formats#redissonPolled()}. */
        REDISSON_POLLED("hash"),
        /** {@link dev.leasehold.interop.Formats#redissonFenced()}. */
        REDISSON_FENCED("hash");

        private final String type;

        Word(String type) {
            this.type = type;
        }

        @Override
        public LockKey key(KeyPrefix prefix, String name) {
            return switch (this) {
                case LEASEHOLD -> LockKey.of(prefix, name);
                case PLAIN -> PlainKey.of(name);
                case PLAIN_ANY_VALUE -> PlainKey.ofAnyValue(name);
                case REDISSON -> RedissonKey.of(name, false);
                case REDISSON_POLLED -> RedissonKey.polled(name);
                case REDISSON_FENCED -> RedissonKey.of(name, true);
            };
        }

        @Override
        public String type() {
            return type;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * {@link dev.leasehold.interop.Formats#springIntegration}.
     *
     * @param registryKey the registry key of the registry
     */
    record SpringIntegration(String registryKey) implements KeyFormat {

        /** The words that settings use, before the registry key. */
        public static final String WORDS = "spring-integration:";

        /** Checks the registry key. */
        public SpringIntegration {
            PlainKey.checkRegistry(registryKey);
        }

        @Override
        public LockKey key(KeyPrefix prefix, String name) {
            return PlainKey.ofSpringIntegration(registryKey, name);
        }

        @Override
        public String type() {
            return "string";
        }

        @Override
        public String head() {
            return registryKey + ":";
        }

        @Override
        public String toString() {
            return WORDS + registryKey;
        }
    }
}
