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
 * Refuses HTTP requests of holders whose lease is over. The holder sends its token as {@code Fencing-Token: 1763690400123456},
 * one decimal number; the service finds out by itself which resource the request is about.
 *
 * <p>A stale token is answered with 409, a missing or malformed one, or a name that is none, with 400, each with a body of type
 * {@code application/problem+json} (RFC 9457). What is refused never reaches the filters and the servlet behind this one.
 *
 * <p><b>What it cannot promise.</b> The check and the work are two steps. A request that was let pass may stand still
 * before it writes; if a later holder is let pass and writes meanwhile, the earlier one overwrites that when it goes on. The
 * filter makes this rare, for it turns away whoever comes late, but it does not make it impossible. What closes the gap
 * is a check in the step that writes: hand {@link #tokenOf} on to {@link JdbcFencedRow}, {@link JdbcFenceTable} or
 * {@link RedisGuard}, if need be besides this filter. Nor does a token prove who sends it: whoever may call the service can
 * invent one, and a high one keeps all others out.
 *
 * <p>Safe for use by any thread. The guard decides what several instances of the service share; see {@link FencingGuard}.
 */
public final class FencingFilter implements Filter {

    /** The header with the token. */
    public static final String HEADER = "Fencing-Token";

    private static final String TOKEN_ATTRIBUTE = FencingFilter.class.getName() + ".token";

    /** Without sign or leading zeros; at most the 16 digits that 2^53 has. */
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,15}");

    private final FencingGuard guard;
    private final Function<? super HttpServletRequest, Optional<String>> resource;

    /**
     * Makes a filter. Which paths it stands before, the service decides by mapping it.
     *
     * @param guard keeps the highest tokens; shared by all instances of the service
     * @param resource tells the name of the resource that a request is about; by convention that of the lock. Empty for a
     *     request that needs no token, such as one that only reads for somebody who holds no lease. Must be safe for use by any
     *     thread
     */
    public FencingFilter(FencingGuard guard, Function<? super HttpServletRequest, Optional<String>> resource) {
        this.guard = guard;
        this.resource = resource;
    }

    /**
     * The token of a request that a filter let pass, for the step that writes.
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
     * Lets the request pass, or answers it.
     *
     * @throws ServletException if the request is none of HTTP, or with the cause that the guard could not be asked; the
     *     request is not let pass then, and the server answers with 500
     */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("a FencingFilter stands before HTTP only");
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
            throw new ServletException("it cannot be told whether the fencing token is stale; not let pass", e);
        }
        request.setAttribute(TOKEN_ATTRIBUTE, token);
        return Optional.empty();
    }

    private static long token(Enumeration<String> values) {
        if (!values.hasMoreElements()) {
            throw new IllegalArgumentException("the header " + HEADER
                    + " is missing: send the fencing token of the lease" + " under which this request is made");
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
