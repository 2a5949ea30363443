package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LockProblem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers requests of WebFlux that did not get their lock, or lost it, after the handlers of the application, and before that of Boot. */
final class LockWebExceptionHandler implements WebExceptionHandler, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    /** That of Boot's handler, before which this one is registered. */
    private static final int ORDER = -1;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        LockProblem problem = LockProblem.of(failure);
        ServerHttpResponse response = exchange.getResponse();
        if (problem == null || response.isCommitted()) {
            return Mono.error(failure);
        }
        problem.log(LOG, failure);
        response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
        String retryAfter = problem.retryAfter();
        if (retryAfter != null) {
            response.getHeaders().set(LockProblem.RETRY_AFTER, retryAfter);
        }
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, LockProblem.CONTENT_TYPE);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(problem.body())));
    }
}
