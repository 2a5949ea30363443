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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reachability metadata for a native image, in the files {@code reflect-config.json}, {@code resource-config.json} and
 * {@code proxy-config.json}, or in {@code reachability-metadata.json}, which newer tracing agents write.
 */
final class Metadata {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern QUOTED = Pattern.compile("\\\\Q(.*?)\\\\E");

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
                return allFields || fields.contains(access.member());
            }
            boolean all = access.member().equals("<init>") ? allConstructors : allMethods;
            return all || methods.contains(access.member());
        }
    }

    /** Reads all such files below directories. */
    static Metadata in(Iterable<Path> directories) {
        Metadata all = new Metadata();
        for (Path directory : directories) {
            for (Path file : files(directory)) {
                all.read(file);
            }
        }
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
            case "resource-config.json" -> json.at("/resources/includes").forEach(this::readResource);
            case "proxy-config.json" -> json.forEach(this::readProxy);
            case "reachability-metadata.json" -> {
                json.path("reflection").forEach(this::readType);
                json.path("resources").forEach(this::readResource);
            }
            default -> readNothing(file, json);
        }
    }

    /** The agent also writes files for JNI and serialization, which must have nothing of these libraries. */
    private void readNothing(Path file, JsonNode json) {
        if (json.toString().contains("dev.leasehold")) {
            throw new IllegalStateException(
                    file + " has entries for Leasehold, of a kind that nobody has compared yet");
        }
    }

    private void readType(JsonNode entry) {
        JsonNode name = entry.has("type") ? entry.get("type") : entry.get("name");
        if (name.has("proxy")) {
            readProxy(name.get("proxy"));
            return;
        }
        Type type = types.computeIfAbsent(name.asText(), any -> new Type());
        entry.path("fields").forEach(field -> type.fields.add(field.get("name").asText()));
        entry.path("methods")
                .forEach(method -> type.methods.add(method.get("name").asText()));
        entry.path("queriedMethods")
                .forEach(method -> type.methods.add(method.get("name").asText()));
        type.allFields |= has(entry, "allDeclaredFields", "allPublicFields");
        type.allMethods |= has(entry, "allDeclaredMethods", "allPublicMethods");
        type.allConstructors |= has(entry, "allDeclaredConstructors", "allPublicConstructors");
    }

    private static boolean has(JsonNode entry, String... flags) {
        return Stream.of(flags).anyMatch(flag -> entry.path(flag).asBoolean());
    }

    private void readResource(JsonNode entry) {
        if (entry.has("pattern")) {
            resources.add(entry.get("pattern").asText());
        } else if (entry.has("glob")) {
            resources.add(Pattern.quote(entry.get("glob").asText()));
        }
    }

    private void readProxy(JsonNode entry) {
        List<String> interfaces = new ArrayList<>();
        (entry.has("interfaces") ? entry.get("interfaces") : entry).forEach(each -> interfaces.add(each.asText()));
        proxies.add(String.join(",", interfaces));
    }

    boolean registers(Access access) {
        return switch (access.kind()) {
            case TYPE -> types.containsKey(access.owner());
            case RESOURCE ->
                resources.stream().anyMatch(pattern -> access.owner().matches(pattern));
            case PROXY -> access.owner().isEmpty() ? !proxies.isEmpty() : proxies.contains(access.owner());
            case FIELD, METHOD ->
                access.owner().isEmpty()
                        ? types.values().stream().anyMatch(type -> type.has(access))
                        : types.containsKey(access.owner())
                                && types.get(access.owner()).has(access);
        };
    }

    /** Returns everything in here, as what a tracing agent has seen. Its patterns for resources are quoted names. */
    List<Access> accesses(String from) {
        List<Access> all = new ArrayList<>();
        types.forEach((name, type) -> {
            all.add(Access.type(name, from));
            type.fields.forEach(field -> all.add(Access.field(name, field, from)));
            type.methods.forEach(method -> all.add(Access.method(name, method, from)));
        });
        resources.forEach(
                pattern -> all.add(Access.resource(QUOTED.matcher(pattern).replaceAll("$1"), from)));
        proxies.forEach(interfaces -> all.add(Access.proxy(interfaces, from)));
        return all;
    }

    Map<String, Type> types() {
        return types;
    }

    Set<String> resources() {
        return resources;
    }
}
