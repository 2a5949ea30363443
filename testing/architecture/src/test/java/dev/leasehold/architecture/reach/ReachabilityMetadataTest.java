package dev.leasehold.architecture.reach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.architecture.reach.ReflectiveCalls.Call;
import dev.leasehold.architecture.reach.planted.PlantedReflection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each jar registers for a native image what its classes reach by name, and all its resources. */
class ReachabilityMetadataTest {
    private static final Libraries LIBRARIES = Libraries.published();
    private static final String SERVICES = "META-INF/services/";
    private static final String COMMAND_LINE = "leasehold-cli";

    private static final String BEANS =
            "beans with @Lock and their arguments: Spring and Quarkus register them, for Micronaut the application does (docs/native-image.md)";

    /** Calls on types or with names that only an application knows, and why the metadata of the jar needs nothing for them. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "dev.leasehold.spi.RedisTransportProvider#canLoad Class.forName", "the calls of canLoad are scanned",
            "dev.leasehold.annotation.Fallbacks#method Class.getDeclaredMethods", BEANS,
            "dev.leasehold.annotation.Fallbacks#method Class.getMethod", BEANS,
            "dev.leasehold.annotation.ParameterPaths#call Class.getMethod", BEANS,
            "dev.leasehold.annotation.ParameterPaths#field Class.getField", BEANS,
            "dev.leasehold.micronaut.LockVerifier#declaredMethods Class.getDeclaredMethods", BEANS,
            "dev.leasehold.quarkus.internal.LockRecorder#check Class.getDeclaredMethods", BEANS);

    /** Services that a compiler finds, not a program. */
    private static final Set<String> OF_COMPILERS =
            Set.of(SERVICES + "io.micronaut.inject.annotation.AnnotationTransformer");

    static Set<String> artifacts() {
        return LIBRARIES.classes().keySet();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void whatClassesReachByNameIsRegistered(String artifact) {
        assertThat(unregistered(LIBRARIES, artifact)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void resourcesAndServicesAreRegistered(String artifact) {
        assertThat(unregisteredResources(LIBRARIES, artifact)).isEmpty();
    }

    @Test
    void everyExceptionIsNeeded() {
        Set<String> calls = new TreeSet<>();
        artifacts().forEach(artifact -> calls(LIBRARIES, artifact).forEach(call -> calls.add(text(call))));
        assertThat(calls).containsAll(ELSEWHERE.keySet());
    }

    /** picocli finds commands and their fields by reflection, and makes what their annotations name. */
    @Test
    void commandsAndOptionsAreRegistered() throws ClassNotFoundException {
        Set<Access> found = new LinkedHashSet<>();
        for (String name : LIBRARIES.types(COMMAND_LINE)) {
            Class<?> type = Class.forName(name, false, ReachabilityMetadataTest.class.getClassLoader());
            List<Annotation> ofFields = new ArrayList<>();
            for (Field field : type.getDeclaredFields()) {
                List<Annotation> annotations = ofPicocli(field);
                if (!annotations.isEmpty()) {
                    found.add(Access.field(name, field.getName()));
                    ofFields.addAll(annotations);
                }
            }
            List<Annotation> all =
                    Stream.concat(ofPicocli(type).stream(), ofFields.stream()).toList();
            if (!all.isEmpty()) {
                found.add(Access.method(name, "<init>"));
            }
            all.forEach(annotation ->
                    ownTypes(annotation).forEach(each -> found.add(Access.method(each.getName(), "<init>"))));
        }
        assertThat(found)
                .contains(
                        Access.method("dev.leasehold.cli.internal.run.RunCommand", "<init>"),
                        Access.method("dev.leasehold.cli.internal.Durations", "<init>"),
                        Access.field("dev.leasehold.cli.internal.ConnectionOptions", "redis"))
                .allMatch(LIBRARIES.metadata(COMMAND_LINE)::registers);
    }

    private static List<Annotation> ofPicocli(AnnotatedElement element) {
        return Stream.of(element.getAnnotations())
                .filter(annotation -> annotation.annotationType().getName().startsWith("picocli."))
                .toList();
    }

    /** Returns the classes of the command line that an annotation names, such as subcommands and converters. */
    private static Stream<Class<?>> ownTypes(Annotation annotation) {
        return Stream.of(annotation.annotationType().getDeclaredMethods())
                .map(attribute -> {
                    try {
                        return attribute.invoke(annotation);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException("cannot read " + attribute, e);
                    }
                })
                .flatMap(value -> value instanceof Class<?>[] types
                        ? Stream.of(types)
                        : value instanceof Class<?> type ? Stream.of(type) : Stream.empty())
                .filter(type -> type.getName().startsWith("dev.leasehold."));
    }

    /** Its interface is a variable in the class file. */
    @Test
    void theProxyThatHandlesSignalsIsRegistered() {
        assertThat(LIBRARIES.metadata(COMMAND_LINE).registers(Access.proxy("sun.misc.SignalHandler")))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void whatIsRegisteredExists(String artifact) {
        Metadata metadata = LIBRARIES.metadata(artifact);
        List<String> resources = LIBRARIES.resources(artifact);
        assertThat(metadata.resources())
                .allSatisfy(pattern -> assertThat(resources).anyMatch(resource -> resource.matches(pattern)));
        metadata.types().forEach((name, type) -> assertThat(missing(name, type)).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void filesLieWhereImagesLookForThem(String artifact) {
        Path folder = LIBRARIES.classes().get(artifact).resolve("META-INF/native-image");
        assertThat(Metadata.files(folder))
                .extracting(file -> folder.relativize(file.getParent()).toString())
                .allMatch(path -> path.equals("dev.leasehold/" + artifact)
                        || path.equals("picocli-generated/dev.leasehold/" + artifact));
    }

    @Test
    void aNewReflectiveCallIsFound(@TempDir Path directory) throws IOException {
        copy(directory, PlantedReflection.class);
        Libraries planted = new Libraries(Map.of("planted", directory));
        String place = PlantedReflection.class.getName();
        assertThat(unregistered(planted, "planted"))
                .containsExactlyInAnyOrder(
                        place + "#type Class.forName reaches java.util.Optional",
                        place + "#method Class.getMethod reaches java.lang.String#strip",
                        place + "#constructor Class.getDeclaredConstructor reaches #<init>",
                        place + "#field Lookup.findVarHandle reaches java.awt.Point#x",
                        place + "#updater AtomicIntegerFieldUpdater.newUpdater reaches " + place + "#count",
                        place + "#list Class.getDeclaredFields reaches java.lang.Thread",
                        place + "#proxy Proxy.newProxyInstance reaches ",
                        place + "#variable Class.forName has no constant argument",
                        place + "#loaded ClassLoader.loadClass has no constant argument");
        write(directory, "reflect-config.json", """
                [{"name": "java.util.Optional"}, {"name": "java.lang.Thread"},
                 {"name": "java.lang.String", "methods": [{"name": "strip", "parameterTypes": []}, {"name": "<init>"}]},
                 {"name": "java.awt.Point", "allPublicFields": true},
                 {"name": "%s", "fields": [{"name": "count"}]}]""".formatted(place));
        write(directory, "proxy-config.json", "[{\"interfaces\": [\"java.lang.Runnable\"]}]");
        assertThat(unregistered(planted, "planted"))
                .containsExactlyInAnyOrder(
                        place + "#variable Class.forName has no constant argument",
                        place + "#loaded ClassLoader.loadClass has no constant argument");
    }

    @Test
    void aMissingResourceIsFound(@TempDir Path directory) throws IOException {
        Files.createDirectories(directory.resolve(SERVICES));
        Files.writeString(directory.resolve("one.lua"), "return 1");
        Files.writeString(directory.resolve("two.lua"), "return 2");
        Files.writeString(directory.resolve(SERVICES + "a.Service"), "a.Provider\n");
        write(directory, "resource-config.json", """
                {"resources": {"includes": [{"pattern": "\\\\Qone.lua\\\\E"}]}}""");
        assertThat(unregisteredResources(new Libraries(Map.of("planted", directory)), "planted"))
                .containsExactlyInAnyOrder("two.lua", SERVICES + "a.Service", "a.Provider#<init>");
    }

    private static void copy(Path directory, Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Files.createDirectories(directory.resolve(name).getParent());
        try (var in = type.getResourceAsStream("/" + name)) {
            Files.write(directory.resolve(name), in.readAllBytes());
        }
    }

    private static void write(Path directory, String name, String json) throws IOException {
        Path file = directory.resolve("META-INF/native-image/dev.leasehold/planted/" + name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, json);
    }

    private static Stream<Call> calls(Libraries libraries, String artifact) {
        return libraries.classFiles(artifact).stream().flatMap(file -> ReflectiveCalls.in(file).stream());
    }

    private static List<String> unregistered(Libraries libraries, String artifact) {
        Metadata metadata = libraries.metadata(artifact);
        List<String> found = new ArrayList<>();
        calls(libraries, artifact).forEach(call -> {
            if (ELSEWHERE.containsKey(text(call))) {
                return;
            }
            if (call.access().isPresent()) {
                Access access = call.access().get();
                if (!metadata.registers(access)) {
                    String member = access.member().isEmpty() ? "" : "#" + access.member();
                    found.add(text(call) + " reaches " + access.owner() + member);
                }
            } else if (!isOfResourceOrService(call)) {
                found.add(text(call) + " has no constant argument");
            }
        });
        return found;
    }

    /** Whatever the argument is, all resources and services are registered. */
    private static boolean isOfResourceOrService(Call call) {
        return ReflectiveMethods.RESOURCES.contains(call.called())
                || ReflectiveMethods.SERVICES.contains(call.called());
    }

    private static String text(Call call) {
        return call.place() + " " + call.called();
    }

    private static List<String> unregisteredResources(Libraries libraries, String artifact) {
        Metadata metadata = libraries.metadata(artifact);
        List<String> found = new ArrayList<>();
        for (String resource : libraries.resources(artifact)) {
            if (OF_COMPILERS.contains(resource)) {
                continue;
            }
            if (!metadata.registers(Access.resource(resource))) {
                found.add(resource);
            }
            if (resource.startsWith(SERVICES)) {
                lines(libraries.classes().get(artifact).resolve(resource))
                        .map(provider -> Access.method(provider, "<init>"))
                        .filter(provider -> !metadata.registers(provider))
                        .forEach(provider -> found.add(provider.owner() + "#<init>"));
            }
        }
        return found;
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream().map(String::strip).filter(line -> !line.isEmpty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> missing(String name, Metadata.Type registered) {
        List<String> missing = new ArrayList<>();
        try {
            Class<?> type = Class.forName(name, false, ReachabilityMetadataTest.class.getClassLoader());
            Set<String> members = new TreeSet<>(Set.of("<init>"));
            Stream.of(type.getDeclaredMethods()).forEach(method -> members.add(method.getName()));
            Stream.of(type.getDeclaredFields()).forEach(field -> members.add(field.getName()));
            Stream.concat(registered.fields.stream(), registered.methods.stream())
                    .filter(member -> !members.contains(member))
                    .forEach(member -> missing.add(name + "#" + member));
        } catch (ClassNotFoundException e) {
            missing.add(name);
        }
        return missing;
    }
}
