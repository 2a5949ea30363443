package dev.leasehold.spring.boot;

import dev.leasehold.console.ConsoleSession;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Reads from a request who has signed in to the application, and what that user may do. */
final class ConsoleUsers {

    private final LeaseholdProperties.Console properties;
    private final Function<HttpServletRequest, Map<String, List<String>>> csrf;

    ConsoleUsers(LeaseholdProperties.Console properties) {
        this.properties = properties;
        boolean security = ClassUtils.isPresent(
                "org.springframework.security.web.csrf.DeferredCsrfToken", ConsoleUsers.class.getClassLoader());
        csrf = security ? CsrfHeaders::of : request -> Map.of();
    }

    /**
     * Returns whether the user may see the data of the console: the role is checked with each request, so that its withdrawal takes
     * effect. A role is demanded also where users need not sign in.
     */
    boolean mayRead(HttpServletRequest request) {
        String role = properties.role();
        return StringUtils.hasText(role)
                ? request.isUserInRole(role) || mayAct(request)
                : properties.allowEveryUser() || properties.allowWithoutSecurity();
    }

    private boolean mayAct(HttpServletRequest request) {
        String role = properties.actionsRole();
        return StringUtils.hasText(role) && request.isUserInRole(role);
    }

    /**
     * Returns the session; null if nobody has signed in. The security of the application may leave the path of the console open,
     * so that its presence alone does not suffice.
     *
     * @param forPage whether the page asks for the headers of its next request; the token among them may create a session
     */
    @Nullable
    ConsoleSession session(HttpServletRequest request, boolean forPage) {
        Principal user = request.getUserPrincipal();
        if (user == null && !properties.allowWithoutSecurity()) {
            return null;
        }
        return new ConsoleSession(
                user == null ? "" : user.getName(), mayAct(request), forPage ? csrf.apply(request) : Map.of());
    }
}
