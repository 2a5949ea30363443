package dev.leasehold.architecture.reach;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The compiled modules whose jars an application may put into a native image. */
final class Libraries {
    private static final String CLASS = ".class";

    /** The directory of the classes of each module, by its artifact. */
    private final Map<String, Path> classes = new TreeMap<>();

    private final Set<String> types = new TreeSet<>();
    private final Set<String> resources = new TreeSet<>();

    /** Takes a module's artifact and the directory of its classes. */
    Libraries(Map<String, Path> modules) {
        modules.forEach((artifact, directory) -> {
            if (Files.isDirectory(directory)) {
                classes.put(artifact, directory);
                files(directory)
                        .forEach(file -> (file.endsWith(CLASS) ? types : resources)
                                .add(file.endsWith(CLASS) ? typeName(file) : file));
            }
        });
    }

    private static String typeName(String file) {
        return file.substring(0, file.length() - CLASS.length()).replace('/', '.');
    }

    Map<String, Path> classes() {
        return classes;
    }

    /** Returns whether one of the jars has this class. */
    boolean hasType(String name) {
        return types.contains(name);
    }

    /** Returns whether one of the jars has this resource. */
    boolean hasResource(String path) {
        return resources.contains(path);
    }

    /** Returns the class files of a module. */
    List<Path> classFiles(String artifact) {
        Path directory = classes.get(artifact);
        return files(directory).stream()
                .filter(file -> file.endsWith(CLASS))
                .map(directory::resolve)
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
        return Metadata.in(List.of(classes.get(artifact).resolve("META-INF/native-image")));
    }

    /** Returns the metadata in all jars. */
    Metadata metadata() {
        return Metadata.in(classes.values().stream()
                .map(directory -> directory.resolve("META-INF/native-image"))
                .toList());
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
