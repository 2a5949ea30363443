package dev.leasehold.micronaut;

import dev.leasehold.LeaseLostException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Answers a request that lost its lock with 500, unless the application has a handler of its own. */
@Singleton
@Secondary
@Requires(classes = ExceptionHandler.class)
@Requires(property = "leasehold.web.enabled", notEquals = "false")
final class LockLostHandler implements ExceptionHandler<LeaseLostException, HttpResponse<?>> {

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, LeaseLostException failure) {
        return LockAnswer.to(failure);
    }
}
