package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that has switched the answers off. */
class NoWebAnswersIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION =
            Applications.withRedis(Orders.class).overrideConfigKey("quarkus.leasehold.web.enabled", "false");

    @Inject
    Leasehold leasehold;

    @TestHTTPResource
    URI application;

    @Test
    void aPropertySwitchesTheAnswersOff() throws Exception {
        try (Lease held = leasehold.lock(Orders.LOCK).tryAcquire().orElseThrow()) {
            assertThat(Orders.get(application, "/orders").statusCode()).isEqualTo(500);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
