package dev.leasehold.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.junit.jupiter.api.Test;

// example: micronaut-test
@MicronautTest
@Property(name = "spec.name", value = "PaymentsTest")
class PaymentsTest {

    @Factory
    @Requires(property = "spec.name", value = "PaymentsTest") // in no other test
    static class Locks {

        @Singleton
        ManualClock clock() {
            return ManualClock.create();
        }

        @Singleton
        InMemoryLeasehold leasehold(ManualClock clock) {
            return InMemoryLeasehold.create(clock);
        }
    }

    @Inject
    Payments payments;

    @Inject
    InMemoryLeasehold leasehold;

    @Inject
    ManualClock clock;

    @Test
    void aPaymentIsRefusedWhileAnotherInstancePays() throws InterruptedException {
        try (Lease other = leasehold.another().lock("order:7").acquire()) {
            assertThatThrownBy(() -> payments.pay(new Order("7"))) // waits for 5 s on the clock
                    .isInstanceOf(LockNotAcquiredException.class);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    void aPaymentGoesOnAfterTheLeaseOfAnInstanceThatIsCutOff() throws InterruptedException {
        InMemoryLeasehold other = leasehold.another();
        other.lock("order:8").acquire();
        other.cutOff(true);
        clock.advance(Duration.ofSeconds(31)); // the lease was 30 s
        assertThat(payments.pay(new Order("8"))).isPositive();
    }
}
// end
