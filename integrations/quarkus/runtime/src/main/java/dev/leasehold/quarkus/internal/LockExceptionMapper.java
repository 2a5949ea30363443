package dev.leasehold.quarkus.internal;

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
 * Answers requests of Quarkus REST that did not get their lock. A mapper of the application comes first, also one for a superclass of the
 * exception, which Quarkus would not ask.
 */
@Singleton
public final class LockExceptionMapper implements ResteasyReactiveExceptionMapper<LeaseholdException> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.quarkus");

    private final Providers providers;

    LockExceptionMapper(Providers providers) {
        this.providers = providers;
    }

    @Override
    public Response toResponse(LeaseholdException failure) {
        return toResponse(failure, null);
    }

    @Override
    public Response toResponse(LeaseholdException failure, @Nullable ServerRequestContext request) {
        ExceptionMapper<LeaseholdException> own = own();
        if (own instanceof ResteasyReactiveExceptionMapper<LeaseholdException> mapper) {
            return mapper.toResponse(failure, request);
        }
        if (own != null) {
            return own.toResponse(failure);
        }
        LockProblem problem = Objects.requireNonNull(LockProblem.of(failure));
        LOG.debug("a request did not get its lock and is answered with {}", problem.status(), failure);
        return Response.status(problem.status())
                .header(LockProblem.RETRY_AFTER, problem.retryAfter())
                .type(LockProblem.CONTENT_TYPE)
                .entity(problem.body())
                .build();
    }

    /** Returns the application's mapper for a superclass; one that answers later cannot be asked from here. */
    private @Nullable ExceptionMapper<LeaseholdException> own() {
        ExceptionMapper<LeaseholdException> own = providers.getExceptionMapper(LeaseholdException.class);
        return own instanceof ResteasyReactiveAsyncExceptionMapper ? null : own;
    }
}
