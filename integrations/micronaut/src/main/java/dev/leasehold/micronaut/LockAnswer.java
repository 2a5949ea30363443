package dev.leasehold.micronaut;

import dev.leasehold.annotation.LockProblem;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answer to a request that did not get its lock, or lost it. */
final class LockAnswer {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.micronaut");

    private LockAnswer() {}

    static HttpResponse<?> to(RuntimeException failure) {
        LockProblem problem = Objects.requireNonNull(LockProblem.of(failure));
        problem.log(LOG, failure);
        MutableHttpResponse<byte[]> response = HttpResponse.<byte[]>status(HttpStatus.valueOf(problem.status()))
                .contentType(LockProblem.CONTENT_TYPE)
                .body(problem.body());
        String retryAfter = problem.retryAfter();
        return retryAfter == null ? response : response.header(LockProblem.RETRY_AFTER, retryAfter);
    }
}
