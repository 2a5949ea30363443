package dev.leasehold.internal.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The parts of a client by their types. */
final class ClientParts {

    private final Map<Class<?>, Object> parts = new LinkedHashMap<>();

    <T> ClientParts with(Class<T> type, T part) {
        parts.put(type, part);
        return this;
    }

    /**
     * Returns the part of a type.
     *
     * @throws IllegalArgumentException if there is none
     */
    <T> T get(Class<T> type) {
        Object part = parts.get(Objects.requireNonNull(type, "type"));
        if (part == null) {
            String known = parts.keySet().stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
            throw new IllegalArgumentException("a client has no " + type.getName() + ". Its parts are " + known);
        }
        return type.cast(part);
    }
}
