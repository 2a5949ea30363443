package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LockProblem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers requests of Spring MVC that did not get their lock, or lost it, after all resolvers of the application. */
final class LockExceptionResolver implements HandlerExceptionResolver, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        LockProblem problem = LockProblem.of(failure);
        if (problem == null || response.isCommitted()) {
            return null;
        }
        problem.log(LOG, failure);
        response.resetBuffer();
        response.setStatus(problem.status());
        String retryAfter = problem.retryAfter();
        if (retryAfter != null) {
            response.setHeader(LockProblem.RETRY_AFTER, retryAfter);
        }
        response.setContentType(LockProblem.CONTENT_TYPE);
        try {
            response.getOutputStream().write(problem.body());
        } catch (IOException e) {
            LOG.debug("the answer did not reach its client", e);
        }
        return new ModelAndView();
    }
}
