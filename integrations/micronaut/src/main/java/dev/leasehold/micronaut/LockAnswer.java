package dev.leasehold.micronaut;

import dev.leasehold.LeaseholdException;
import dev.leasehold.annotation.LockProblem;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answer to a request that did not get its lock. */
final class LockAnswer {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.micronaut");

    private LockAnswer() {}

    static HttpResponse<?> to(LeaseholdException failure) {
        LockProblem problem = Objects.requireNonNull(LockProblem.of(failure));
        LOG.debug("a request did not get its lock and is answered with {}", problem.status(), failure);
        return HttpResponse.status(HttpStatus.valueOf(problem.status()))
                .header(LockProblem.RETRY_AFTER, problem.retryAfter())
                .contentType(LockProblem.CONTENT_TYPE)
                .body(problem.body());
    }
}
