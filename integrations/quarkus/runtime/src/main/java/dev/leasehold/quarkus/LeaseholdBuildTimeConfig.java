package dev.leasehold.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** The properties {@code quarkus.leasehold.*} that are fixed when the application is built. */
@ConfigMapping(prefix = "quarkus.leasehold")
@ConfigRoot(phase = ConfigPhase.BUILD_TIME)
public interface LeaseholdBuildTimeConfig {

    /**
     * Whether the application has a Leasehold client and {@code @Lock} takes effect.
     *
     * @return true by default
     */
    @WithDefault("true")
    boolean enabled();

    /**
     * The health check, if the application has {@code quarkus-smallrye-health}.
     *
     * @return the settings
     */
    Health health();

    /**
     * The meters of locks, if the application has {@code quarkus-micrometer}.
     *
     * @return the settings
     */
    Metrics metrics();

    /**
     * The answers to requests that do not get their lock, if the application has {@code quarkus-rest}.
     *
     * @return the settings
     */
    Web web();

    /** The health check. */
    interface Health {

        /**
         * Whether a readiness check reports the state of Redis.
         *
         * @return true by default
         */
        @WithDefault("true")
        boolean enabled();
    }

    /** The meters of locks. */
    interface Metrics {

        /**
         * Whether meters are registered.
         *
         * @return true by default
         */
        @WithDefault("true")
        boolean enabled();
    }

    /** The answers to requests that do not get their lock. */
    interface Web {

        /**
         * Whether a request that does not get its lock, and whose exception the application maps nowhere, is answered with 409 or 503 and
         * {@code Retry-After}, without the name of the lock.
         *
         * @return true by default
         */
        @WithDefault("true")
        boolean enabled();
    }
}
