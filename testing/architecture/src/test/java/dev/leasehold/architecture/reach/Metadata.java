package dev.leasehold.architecture.reach;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.architecture.reach.Access.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reachability metadata for a native image, in the files {@code reflect-config.json}, {@code resource-config.json} and
 * {@code proxy-config.json}, which every GraalVM reads.
 */
final class Metadata {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Type> types = new TreeMap<>();
    private final Set<String> resources = new TreeSet<>();
    private final Set<String> proxies = new TreeSet<>();

    /** What is registered of one type. */
    static final class Type {
        final Set<String> fields = new TreeSet<>();
        final Set<String> methods = new TreeSet<>();
        private boolean allFields;
        private boolean allMethods;
        private boolean allConstructors;

        private boolean has(Access access) {
            if (access.kind() == Kind.FIELD) {
                return allFields || names(access);
            }
            return (access.member().equals("<init>") ? allConstructors : allMethods) || names(access);
        }

        private boolean names(Access access) {
            return (access.kind() == Kind.FIELD ? fields : methods).contains(access.member());
        }
    }

    /** Reads all files below a directory. */
    static Metadata in(Path directory) {
        Metadata all = new Metadata();
        files(directory).forEach(all::read);
        return all;
    }

    static List<Path> files(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Path file) {
        JsonNode json;
        try {
            json = JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        switch (file.getFileName().toString()) {
            case "reflect-config.json" -> json.forEach(this::readType);
            case "resource-config.json" ->
                json.at("/resources/includes")
                        .forEach(include -> resources.add(include.get("pattern").asText()));
            case "proxy-config.json" -> json.forEach(this::readProxy);
            default -> throw new IllegalStateException(file + " is of a kind that these tests do not compare yet");
        }
    }

    private void readType(JsonNode entry) {
        Type type = types.computeIfAbsent(entry.get("name").asText(), any -> new Type());
        entry.path("fields").forEach(field -> type.fields.add(field.get("name").asText()));
        entry.path("methods")
                .forEach(method -> type.methods.add(method.get("name").asText()));
        type.allFields |= has(entry, "allDeclaredFields", "allPublicFields");
        type.allMethods |= has(entry, "allDeclaredMethods", "allPublicMethods");
        type.allConstructors |= has(entry, "allDeclaredConstructors", "allPublicConstructors");
    }

    private static boolean has(JsonNode entry, String... flags) {
        return Stream.of(flags).anyMatch(flag -> entry.path(flag).asBoolean());
    }

    private void readProxy(JsonNode entry) {
        List<String> interfaces = new ArrayList<>();
        entry.get("interfaces").forEach(each -> interfaces.add(each.asText()));
        proxies.add(String.join(",", interfaces));
    }

    /** Returns whether this is registered. A member of an unknown type must be named: other types may have all their members. */
    boolean registers(Access access) {
        return switch (access.kind()) {
            case TYPE -> types.containsKey(access.owner());
            case RESOURCE ->
                resources.stream().anyMatch(pattern -> access.owner().matches(pattern));
            case PROXY -> access.owner().isEmpty() ? !proxies.isEmpty() : proxies.contains(access.owner());
            case FIELD, METHOD ->
                access.owner().isEmpty()
                        ? types.values().stream().anyMatch(type -> type.names(access))
                        : types.containsKey(access.owner())
                                && types.get(access.owner()).has(access);
        };
    }

    Map<String, Type> types() {
        return types;
    }

    Set<String> resources() {
        return resources;
    }
}
