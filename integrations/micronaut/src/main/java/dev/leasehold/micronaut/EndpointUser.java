package dev.leasehold.micronaut;

import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.security.authentication.Authentication;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The user of a request to the management endpoint. Roles are those of Micronaut Security; without it nobody has any. */
final class EndpointUser {

    private static final boolean SECURED = ClassUtils.isPresent(
            "io.micronaut.security.authentication.Authentication", EndpointUser.class.getClassLoader());

    private EndpointUser() {}

    static boolean hasRole(@Nullable Principal user, String role) {
        return SECURED
                && user instanceof Authentication authenticated
                && authenticated.getRoles().contains(role);
    }
}
