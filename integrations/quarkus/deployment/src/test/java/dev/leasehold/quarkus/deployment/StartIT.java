package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.annotation.Lock;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the build cannot know fails the start. */
class StartIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(Desk.class)
            .overrideRuntimeConfigKey("desk.lease", "30 parsecs")
            .assertException(failure -> assertThat(failure)
                    .hasMessageContaining("Desk.lease() cannot work: leaseTime")
                    .hasMessageContaining("Desk.region() cannot work: the property 'desk.region' is not set")
                    .hasMessageContaining("executor 'pool' is no bean"));

    @Test
    void failsTheStart() {
        fail("the application was started");
    }

    @ApplicationScoped
    static class Desk {

        @Lock(name = "lease", leaseTime = "${desk.lease}")
        void lease() {}

        @Lock("region:${desk.region}")
        void region() {}

        @Lock(name = "pooled", executor = "pool")
        void pooled() {}
    }
}
