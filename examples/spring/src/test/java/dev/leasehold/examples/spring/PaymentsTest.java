package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.spring.boot.test.LeaseholdTest;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

// example: spring-test
@LeaseholdTest
@Import({Payments.class, Ledger.class, Pools.class}) // the bean under test, and all that it needs
class PaymentsTest {

    @Autowired
    Payments payments;

    @Autowired
    Ledger ledger;

    @Autowired
    InMemoryLeasehold leasehold;

    @Autowired
    ManualClock clock;

    @Test
    void aPaymentIsRefusedWhileAnotherInstancePays() throws InterruptedException {
        try (Lease other = leasehold.another().lock("order:7").acquire()) {
            assertThatThrownBy(() -> payments.pay(new Order("7", 990))) // waits for 5 s on the clock
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
        payments.pay(new Order("8", 990));
        assertThat(ledger.entries()).contains("paid 8");
    }
}
// end
