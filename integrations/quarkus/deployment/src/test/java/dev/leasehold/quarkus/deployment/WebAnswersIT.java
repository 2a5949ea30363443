package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What Quarkus REST answers to requests that do not get their lock. */
class WebAnswersIT {

    private static final List<String> PATHS = List.of("/orders", "/orders/uni", "/orders/stage");

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION =
            Applications.withRedis(Orders.class).overrideRuntimeConfigKey("quarkus.leasehold.command-timeout", "500ms");

    @Inject
    Leasehold leasehold;

    @TestHTTPResource
    URI application;

    @ConfigProperty(name = Applications.PID)
    long server;

    @Test
    void aBusyLockIsAConflictALostOneAnErrorAndAnUnavailableOneNoService() throws Exception {
        for (String path : PATHS) {
            assertThat(Orders.get(application, path).body()).isEqualTo("paid");
            try (Lease held = leasehold.lock(Orders.LOCK).tryAcquire().orElseThrow()) {
                HttpResponse<String> busy = Orders.get(application, path);
                assertThat(held.isHeld()).isTrue();
                assertThat(busy.statusCode()).as(path).isEqualTo(409);
                assertThat(busy.headers().firstValue("Retry-After")).contains("1");
                assertThat(busy.headers().firstValue("Content-Type"))
                        .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
                assertThat(busy.body()).isEqualTo("{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409}");
            }
        }
        HttpResponse<String> lost = Orders.get(application, "/orders/late");
        assertThat(lost.statusCode()).isEqualTo(500);
        assertThat(lost.headers().firstValue("Retry-After")).isEmpty();
        assertThat(lost.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(lost.body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500}");
        ProcessHandle.of(server).orElseThrow().destroyForcibly();
        for (String path : PATHS) {
            HttpResponse<String> unavailable = Orders.get(application, path);
            assertThat(unavailable.statusCode()).as(path).isEqualTo(503);
            assertThat(unavailable.headers().firstValue("Retry-After")).contains("5");
            assertThat(unavailable.body()).doesNotContain("secret").contains("\"status\":503");
        }
    }
}
