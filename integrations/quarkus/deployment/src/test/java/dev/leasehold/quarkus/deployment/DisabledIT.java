package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An IT, to run in the JVM of the other applications. */
class DisabledIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION =
            Applications.withoutRedis(Desk.class).overrideConfigKey("quarkus.leasehold.enabled", "false");

    @Inject
    Desk desk;

    @Inject
    Instance<Leasehold> leasehold;

    @Test
    void runsMethodsWithoutLocksAndWithoutRedis() {
        assertThat(desk.isLocked()).isFalse();
        assertThat(leasehold.isResolvable()).isFalse();
    }

    @ApplicationScoped
    static class Desk {

        @Lock("desk")
        boolean isLocked() {
            return CurrentLease.find().isPresent();
        }
    }
}
