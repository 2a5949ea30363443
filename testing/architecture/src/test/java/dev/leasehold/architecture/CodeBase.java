package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The compiled classes of several modules, main and test. */
final class CodeBase {
    private final Map<String, Unit> units = new TreeMap<>();

    CodeBase(Iterable<Unit> units) {
        units.forEach(unit -> {
            Unit twin = this.units.put(unit.name(), unit);
            if (twin != null) {
                throw new IllegalStateException(
                        unit.name() + " exists twice: in " + twin.module() + " and in " + unit.module());
            }
        });
    }

    /**
     * Reads the classes that the reactors have compiled, except this module, whose test sources break every rule on
     * purpose.
     */
    static CodeBase ofRepository() {
        return OfRepository.READ;
    }

    /**
     * Read once, and all modules together: for each reading ArchUnit reads the libraries again, which takes most of
     * its time.
     */
    private static final class OfRepository {
        static final CodeBase READ = read();
    }

    private static CodeBase read() {
        List<Directory> directories = new ArrayList<>();
        for (String module : Repository.modules()) {
            if (!module.equals("testing/architecture")) {
                add(directories, module, false, "src/main/java", "target/classes");
                add(directories, module, true, "src/test/java", "target/test-classes");
            }
        }
        JavaClasses classes = new ClassFileImporter()
                .importPaths(directories.stream().map(Directory::classes).toList());
        List<Unit> units = new ArrayList<>();
        for (Directory directory : directories) {
            for (String name : directory.names()) {
                units.add(new Unit(classes.get(name), directory.module(), directory.test()));
            }
        }
        return new CodeBase(units);
    }

    private static void add(List<Directory> to, String module, boolean test, String sources, String classes) {
        Path directory = Repository.folder(module);
        Path compiled = directory.resolve(classes);
        if (Files.isDirectory(directory.resolve(sources))) {
            if (!Files.isDirectory(compiled)) {
                throw new IllegalStateException(module + " has " + sources + " but no " + classes
                        + ": the rules judge what the reactor compiled, so run 'mvn verify' first");
            }
            to.add(new Directory(module, test, compiled));
        }
    }

    /** The compiled classes of one module. */
    private record Directory(String module, boolean test, Path classes) {
        private static final String ENDING = ".class";

        List<String> names() {
            try (Stream<Path> files = Files.walk(classes)) {
                return files.map(file -> classes.relativize(file).toString())
                        .filter(file -> file.endsWith(ENDING))
                        .map(file -> file.substring(0, file.length() - ENDING.length())
                                .replace(File.separatorChar, '.'))
                        .filter(name -> !name.equals("module-info"))
                        .filter(name -> !isGenerated(name))
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + classes, e);
            }
        }
    }

    /** Returns whether jcstress, Micronaut or Quarkus generated the class; how it sleeps and prints is its own affair. */
    private static boolean isGenerated(String className) {
        return className.contains("_jcstress") || className.contains(".$") || className.endsWith("$$accessor");
    }

    Stream<Unit> units() {
        return units.values().stream();
    }

    Optional<Unit> find(String className) {
        return Optional.ofNullable(units.get(className));
    }
}
