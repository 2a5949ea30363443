package dev.leasehold.fencing;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Refuses HTTP requests of holders whose lease is over. The holder sends its token as
 * {@code Fencing-Token: 1763690400123456}, one decimal number. The service derives the name of the resource from the
 * request.
 *
 * <p>The filter answers a stale token with 409. It answers a missing or malformed token, and an invalid name, with 400.
 * Each answer has a body of type {@code application/problem+json} (RFC 9457). A refused request never reaches the
 * filters and the servlet behind this filter.
 *
 * <p><b>Limits.</b> The check and the work are two steps. An admitted request may be paused before it writes. If a
 * later holder is admitted and writes meanwhile, the earlier request overwrites that write when it resumes. The filter
 * makes this rare, because it refuses late requests, but not impossible. A check in the step that writes closes the
 * gap: pass {@link #tokenOf} to {@link JdbcFencedRow}, {@link JdbcFenceTable} or {@link RedisGuard}, with or without
 * this filter. A token also does not authenticate its sender: any client that may call the service can invent a token,
 * and a high one excludes all other holders.
 *
 * <p>Safe for use by any thread. The guard decides what several instances of the service share; see
 * {@link FencingGuard}.
 */
public final class FencingFilter implements Filter {

    /** The header with the token. */
    public static final String HEADER = "Fencing-Token";

    private static final String TOKEN_ATTRIBUTE = FencingFilter.class.getName() + ".token";

    /** A number without sign or leading zeros, with at most the 16 digits of 2^53. */
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,15}");

    private final FencingGuard guard;
    private final Function<? super HttpServletRequest, Optional<String>> resource;

    /**
     * Creates a filter. The service maps it to the paths that it guards.
     *
     * @param guard stores the highest tokens; shared by all instances of the service
     * @param resource returns the name of the resource of a request; by convention the name of the lock. Empty for a
     *     request that needs no token, such as a read by a client without a lease. Must be thread-safe
     */
    public FencingFilter(FencingGuard guard, Function<? super HttpServletRequest, Optional<String>> resource) {
        this.guard = guard;
        this.resource = resource;
    }

    /**
     * Returns the token of an admitted request, for the step that writes.
     *
     * @param request the request
     * @return the token
     * @throws IllegalStateException if no filter has checked the request
     */
    public static long tokenOf(ServletRequest request) {
        if (request.getAttribute(TOKEN_ATTRIBUTE) instanceof Long token) {
            return token;
        }
        throw new IllegalStateException(
                "no FencingFilter has checked this request: map one before this path, and name a resource for it");
    }

    /**
     * Admits the request, or answers it with a refusal.
     *
     * @throws ServletException if the request is not an HTTP request, or, with the cause, if the guard failed. The
     *     request is not admitted then, and the server answers with 500
     */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("a FencingFilter guards HTTP requests only");
        }
        Optional<String> name = resource.apply(http);
        if (name.isPresent()) {
            Optional<Problem> problem = check(http, name.get());
            if (problem.isPresent()) {
                problem.get().write(answer);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private Optional<Problem> check(HttpServletRequest request, String name) throws ServletException {
        long token;
        try {
            Inputs.checkResource(name);
            token = token(request.getHeaders(HEADER));
        } catch (IllegalArgumentException e) {
            return Optional.of(Problem.badRequest(e.getMessage()));
        }
        try {
            guard.admit(name, token);
        } catch (StaleTokenException e) {
            return Optional.of(Problem.stale(e));
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new ServletException("the guard could not check the fencing token; the request is not admitted", e);
        }
        request.setAttribute(TOKEN_ATTRIBUTE, token);
        return Optional.empty();
    }

    private static long token(Enumeration<String> values) {
        if (!values.hasMoreElements()) {
            throw new IllegalArgumentException("the header " + HEADER
                    + " is missing: send the fencing token of the lease under which this request is made");
        }
        String value = values.nextElement();
        if (values.hasMoreElements() || !NUMBER.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "the header " + HEADER + " must have one value, a decimal number between 1 and 2^53 - 1");
        }
        long token = Long.parseLong(value);
        Inputs.checkToken(token);
        return token;
    }
}
