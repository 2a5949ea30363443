package dev.leasehold.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A test of one instance in the JVM of the test, as the page about Quarkus shows it. */
// example: quarkus-test
@QuarkusTest
@QuarkusTestResource(TicketSalesIT.Redis.class)
class TicketSalesIT {

    public static final class Redis implements QuarkusTestResourceLifecycleManager {

        private final EmbeddedRedis server = EmbeddedRedis.start();

        @Override
        public Map<String, String> start() {
            return Map.of("quarkus.redis.hosts", server.uri());
        }

        @Override
        public void stop() {
            server.close();
        }
    }

    @Inject
    Tickets tickets;

    @Test
    void ticketsAreNumbered() {
        long first = tickets.sell("requiem");
        assertThat(tickets.sell("requiem")).isEqualTo(first + 1);
    }
}
// end
