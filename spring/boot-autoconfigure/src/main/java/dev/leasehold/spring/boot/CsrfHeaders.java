package dev.leasehold.spring.boot;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.DeferredCsrfToken;

/** The header that Spring Security requires of a POST, unless the application has switched off its protection against CSRF. */
final class CsrfHeaders {

    private CsrfHeaders() {}

    /**
     * Returns the header with its possible values. By default Spring Security expects the token masked, as a page would render it.
     * With {@code csrf.spa()} it expects the token as the cookie has it. The filter does not tell which.
     */
    static Map<String, List<String>> of(HttpServletRequest request) {
        if (!(request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken masked)) {
            return Map.of();
        }
        Set<String> values = new LinkedHashSet<>();
        values.add(masked.getToken());
        if (request.getAttribute(DeferredCsrfToken.class.getName()) instanceof DeferredCsrfToken stored) {
            values.add(stored.get().getToken());
        }
        return Map.of(masked.getHeaderName(), List.copyOf(values));
    }
}
