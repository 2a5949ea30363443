package dev.leasehold.micronaut;

import dev.leasehold.LockNotAcquiredException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Answers a request whose lock others hold with 409, unless the application has a handler of its own. */
@Singleton
@Secondary
@Requires(classes = ExceptionHandler.class)
@Requires(property = "leasehold.web.enabled", notEquals = "false")
final class LockBusyHandler implements ExceptionHandler<LockNotAcquiredException, HttpResponse<?>> {

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, LockNotAcquiredException failure) {
        return LockAnswer.to(failure);
    }
}
