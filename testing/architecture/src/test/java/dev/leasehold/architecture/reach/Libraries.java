package dev.leasehold.architecture.reach;

import dev.leasehold.architecture.Modules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compiled modules whose jars an application may put into a native image. */
final class Libraries {

    /**
     * Aids for tests, and the build of Quarkus applications, which run on a JVM. The command line needs the first for its demos, which
     * start further JVMs.
     */
    private static final Set<String> ON_A_JVM =
            Set.of("leasehold-testkit", "leasehold-tck", "leasehold-spring-boot-test", "leasehold-quarkus-deployment");

    private static final String CLASS = ".class";

    /** The directory of the classes of each module, by its artifact. */
    private final Map<String, Path> classes = new TreeMap<>();

    /** Takes a module's artifact and the directory of its classes. */
    Libraries(Map<String, Path> modules) {
        modules.forEach((artifact, directory) -> {
            if (Files.isDirectory(directory)) {
                classes.put(artifact, directory);
            }
        });
    }

    /** Returns those of this repository. */
    static Libraries published() {
        return new Libraries(Modules.published().entrySet().stream()
                .filter(module -> !ON_A_JVM.contains(module.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, module -> module.getValue().resolve("target/classes"))));
    }

    Map<String, Path> classes() {
        return classes;
    }

    /** Returns the class files of a module. */
    List<Path> classFiles(String artifact) {
        Path directory = classes.get(artifact);
        return files(directory).stream()
                .filter(file -> file.endsWith(CLASS))
                .map(directory::resolve)
                .toList();
    }

    /** Returns the names of the classes of a module. */
    List<String> types(String artifact) {
        return files(classes.get(artifact)).stream()
                .filter(file -> file.endsWith(CLASS) && !file.endsWith("-info.class"))
                .map(file -> file.substring(0, file.length() - CLASS.length()).replace('/', '.'))
                .toList();
    }

    /**
     * Returns the resources that a program reads from the module's jar, among them the files of its services. What else lies below
     * {@code META-INF} is for tools, or read when the application is built.
     */
    List<String> resources(String artifact) {
        return files(classes.get(artifact)).stream()
                .filter(file -> !file.endsWith(CLASS))
                .filter(file -> !file.startsWith("META-INF/") || file.startsWith("META-INF/services/"))
                .toList();
    }

    /** Returns the metadata in the module's jar. */
    Metadata metadata(String artifact) {
        return Metadata.in(classes.get(artifact).resolve("META-INF/native-image"));
    }

    private static List<String> files(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
