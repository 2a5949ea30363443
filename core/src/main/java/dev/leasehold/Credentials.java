package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * User and password for one connection to Redis, as {@link LeaseholdBuilder#credentials} supplies them. An immutable
 * value.
 *
 * @param user the user, or null for the default user
 * @param password the password, or the token that the service takes in its place; {@link #toString()} masks it
 */
public record Credentials(@Nullable String user, String password) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the user is empty or contains white space, or the password is empty; the message contains
     *     neither
     */
    public Credentials {
        if (user != null && (user.isEmpty() || user.chars().anyMatch(Character::isWhitespace))) {
            throw new IllegalArgumentException(
                    "the user of Redis credentials is empty or contains white space, which no user of"
                            + " Redis does: give its name, or null for the default user");
        }
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    "the password of Redis credentials is empty, which Redis refuses: give the password"
                            + " or token, or leave credentials(...) out if the server has none");
        }
    }

    /**
     * Returns the user, without the password.
     *
     * @return a text for logs
     */
    @Override
    public String toString() {
        return "Credentials[" + (user == null ? "default user" : user) + ", ***]";
    }

    /**
     * What {@link LeaseholdBuilder#credentials} takes, as the type of a bean: with Spring Boot and Quarkus a bean of this type supplies
     * the credentials of each new connection, and a bean of any other {@link java.util.function.Supplier} does not.
     */
    @FunctionalInterface
    public interface Supplier extends java.util.function.Supplier<Credentials> {}
}
