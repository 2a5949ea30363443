package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that maps exceptions itself, by a superclass. */
class OwnMapperIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(Orders.class, OwnMapper.class);

    @Inject
    Leasehold leasehold;

    @TestHTTPResource
    URI application;

    @Test
    void theMapperOfTheApplicationComesFirst() throws Exception {
        try (Lease held = leasehold.lock(Orders.LOCK).tryAcquire().orElseThrow()) {
            assertThat(Orders.get(application, "/orders").body()).isEqualTo("own mapper");
            assertThat(Orders.get(application, "/orders/uni").statusCode()).isEqualTo(429);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Provider
    public static class OwnMapper implements ExceptionMapper<RuntimeException> {

        @Override
        public Response toResponse(RuntimeException failure) {
            return Response.status(429).entity("own mapper").build();
        }
    }
}
