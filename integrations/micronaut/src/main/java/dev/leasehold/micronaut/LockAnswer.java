package dev.leasehold.micronaut;

import dev.leasehold.LeaseholdException;
import dev.leasehold.annotation.LockProblem;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.util.Objects;

/** The answer to a request that did not get its lock. */
final class LockAnswer {

    private LockAnswer() {}

    static HttpResponse<?> to(LeaseholdException failure) {
        LockProblem problem = Objects.requireNonNull(LockProblem.of(failure));
        return HttpResponse.status(HttpStatus.valueOf(problem.status()))
                .header(LockProblem.RETRY_AFTER, problem.retryAfter())
                .contentType(LockProblem.CONTENT_TYPE)
                .body(problem.body());
    }
}
