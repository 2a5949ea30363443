package dev.leasehold.quarkus.internal;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseholdException;
import dev.leasehold.annotation.LockProblem;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Providers;
import java.util.Objects;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveAsyncExceptionMapper;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveExceptionMapper;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests of Quarkus REST that did not get their lock, or lost it. A mapper of the application comes first, also one for a superclass of the
 * exception, which Quarkus would not ask.
 */
@Singleton
public final class LockExceptionMapper implements ResteasyReactiveExceptionMapper<RuntimeException> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.quarkus");

    private final Providers providers;

    LockExceptionMapper(Providers providers) {
        this.providers = providers;
    }

    @Override
    public Response toResponse(RuntimeException failure) {
        return toResponse(failure, null);
    }

    @Override
    public Response toResponse(RuntimeException failure, @Nullable ServerRequestContext request) {
        ExceptionMapper<RuntimeException> own = own(failure);
        if (own instanceof ResteasyReactiveExceptionMapper<RuntimeException> mapper) {
            return mapper.toResponse(failure, request);
        }
        if (own != null) {
            return own.toResponse(failure);
        }
        LockProblem problem = Objects.requireNonNull(LockProblem.of(failure));
        problem.log(LOG, failure);
        Response.ResponseBuilder response =
                Response.status(problem.status()).type(LockProblem.CONTENT_TYPE).entity(problem.body());
        String retryAfter = problem.retryAfter();
        return (retryAfter == null ? response : response.header(LockProblem.RETRY_AFTER, retryAfter)).build();
    }

    /** Returns the application's mapper for a superclass; one that answers later cannot be asked from here. */
    @SuppressWarnings("unchecked") // a mapper for a superclass maps the exception
    private @Nullable ExceptionMapper<RuntimeException> own(RuntimeException failure) {
        Class<? extends RuntimeException> superclass =
                failure instanceof LeaseLostException ? IllegalMonitorStateException.class : LeaseholdException.class;
        ExceptionMapper<?> own = providers.getExceptionMapper(superclass);
        return own instanceof ResteasyReactiveAsyncExceptionMapper ? null : (ExceptionMapper<RuntimeException>) own;
    }
}
