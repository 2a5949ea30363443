package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that cannot reach its Redis at start. */
class FailedStartIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withLateRedis()
            .assertException(failure -> assertThat(failure)
                    .hasStackTraceContaining("cannot be reached")
                    .hasStackTraceContaining("set quarkus.leasehold.start-without-redis=true"));

    @Test
    void failsTheStart() {
        fail("the application was started");
    }
}
