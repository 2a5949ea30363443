package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the shutdown does needs a lock, too. */
class FarewellIT {

    /** A property of the system, which the test shares with the class loader of the application. */
    private static final String NOTED = "test.farewell";

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(Farewell.class)
            .setAfterUndeployListener(() -> assertThat(System.clearProperty(NOTED))
                    .isEqualTo("observer farewell, destroyed IllegalStateException"));

    @Inject
    Leasehold leasehold;

    @Test
    void anEarlyObserverOfTheShutdownMayHaveALock() {
        assertThat(leasehold.lock("farewell").inspect()).isEmpty();
    }

    @Singleton
    static class Farewell {

        @Lock("farewell")
        void early(@Observes @Priority(Interceptor.Priority.APPLICATION) ShutdownEvent event) {
            System.setProperty(NOTED, "observer " + CurrentLease.get().name());
        }

        @Lock("late")
        void locked() {}

        @PreDestroy
        void late() {
            String outcome = "under its lock";
            try {
                locked();
            } catch (RuntimeException e) {
                outcome = e.getClass().getSimpleName();
            }
            System.setProperty(NOTED, System.getProperty(NOTED) + ", destroyed " + outcome);
        }
    }
}
