package dev.leasehold.micronaut;

import dev.leasehold.LockUnavailableException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Answers a request whose lock Redis did not answer for with 503, unless the application has a handler of its own. */
@Singleton
@Secondary
@Requires(classes = ExceptionHandler.class)
@Requires(property = "leasehold.web.enabled", notEquals = "false")
final class LockUnavailableHandler implements ExceptionHandler<LockUnavailableException, HttpResponse<?>> {

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, LockUnavailableException failure) {
        return LockAnswer.to(failure);
    }
}
