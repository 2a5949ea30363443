package dev.leasehold.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

@LeaseholdTest
@TestPropertySource(properties = "planted=yes")
@Import(LeaseholdTestTest.Reports.class)
class LeaseholdTestTest {

    static class Reports {
        @Lock("report:#{#day}")
        public String write(String day, Runnable work) {
            work.run();
            return CurrentLease.get().name();
        }
    }

    @Autowired
    Reports reports;

    @Autowired
    InMemoryLeasehold leasehold;

    @Autowired
    ManualClock clock;

    @Value("${planted}")
    String property;

    @Test
    void beansWithLocksRunWithoutAServer() throws Exception {
        assertThat(reports.write("monday", () -> {})).isEqualTo("report:monday");
        try (Lease other = leasehold.another().lock("report:monday").acquire()) {
            assertThatThrownBy(() -> reports.write("monday", () -> {})).isInstanceOf(LockNotAcquiredException.class);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(property).isEqualTo("yes");
    }

    @Test
    void anOutageTakesOneCallAndHalfAMinutePassesInstantly() {
        assertThatThrownBy(() -> reports.write("tuesday", () -> {
                    leasehold.cutOff(true);
                    clock.advance(Duration.ofSeconds(31));
                    leasehold.cutOff(false);
                }))
                .isInstanceOf(LeaseLostException.class);
    }
}
