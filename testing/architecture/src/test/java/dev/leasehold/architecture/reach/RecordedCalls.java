package dev.leasehold.architecture.reach;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The calls that {@link RecordingAgent} wrote, as what the libraries reach. */
final class RecordedCalls {

    /**
     * Callers in the JDK for which an image needs no metadata: it prepares the events of the flight recorder, lambdas, method handles,
     * the values of enums and generic types when it is built, and has no launcher.
     */
    private static final List<String> PREPARED =
            List.of("jdk.jfr.", "java.lang.invoke.", "java.lang.Class", "sun.reflect.generics.", "sun.launcher.");

    private RecordedCalls() {}

    /** Returns what the recorded calls reach of these libraries, and what these libraries reach. */
    static Stream<Access> of(List<String> lines, Libraries libraries) {
        return lines.stream()
                .map(line -> line.split("\t", -1))
                .flatMap(columns -> access(columns[0], columns[1], columns).stream())
                .filter(access -> isOf(libraries, access))
                .distinct();
    }

    private static Optional<Access> access(String called, String caller, String[] columns) {
        String target = columns[2];
        String first = columns.length > 3 ? columns[3] : "";
        String second = columns.length > 4 ? columns[4] : "";
        if (ReflectiveMethods.RESOURCES.contains(called)) {
            return Optional.of(Access.resource(resolved(called, target, first), caller));
        }
        if (PREPARED.stream().anyMatch(caller::startsWith)) {
            return Optional.empty();
        }
        if (ReflectiveMethods.TYPES.contains(called)) {
            return Optional.of(Access.type(first.isEmpty() ? second : first, caller));
        }
        if (ReflectiveMethods.PROXIES.contains(called)) {
            return Optional.of(Access.proxy(second, caller));
        }
        if (ReflectiveMethods.LISTS.contains(called)) {
            return Optional.of(Access.type(target, caller));
        }
        return member(called, caller, target, first, second);
    }

    private static Optional<Access> member(String called, String caller, String target, String first, String second) {
        if (called.startsWith("Lookup.")) {
            String name = called.endsWith("findConstructor") ? "<init>" : second;
            boolean field = called.contains("etter") || called.contains("VarHandle");
            return Optional.of(field ? Access.field(first, name, caller) : Access.method(first, name, caller));
        }
        if (called.startsWith("Field.") || called.endsWith("Field")) {
            return Optional.of(Access.field(target, first, caller));
        }
        boolean constructs = called.endsWith("Constructor") || called.endsWith("newInstance");
        return Optional.of(Access.method(target, constructs ? "<init>" : first, caller));
    }

    private static String resolved(String called, String type, String name) {
        if (!called.startsWith("Class.")) {
            return name;
        }
        if (name.startsWith("/")) {
            return name.substring(1);
        }
        return type.substring(0, type.lastIndexOf('.') + 1).replace('.', '/') + name;
    }

    /** Returns whether the access is made by one of the libraries, or reaches into one. */
    static boolean isOf(Libraries libraries, Access access) {
        boolean own = libraries.hasType(access.from());
        return switch (access.kind()) {
            case RESOURCE -> own || libraries.hasResource(access.owner());
            case TYPE, FIELD, METHOD -> own || libraries.hasType(access.owner());
            case PROXY -> own || Stream.of(access.owner().split(",")).anyMatch(libraries::hasType);
        };
    }
}
