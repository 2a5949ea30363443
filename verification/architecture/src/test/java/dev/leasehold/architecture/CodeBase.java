package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    /** What the reactor has compiled, apart from this module, whose test sources break every rule on purpose. */
    static CodeBase ofRepository() {
        Map<Path, String> mains = new LinkedHashMap<>();
        Map<Path, String> tests = new LinkedHashMap<>();
        for (String module : Repository.modules()) {
            if (!module.equals("verification/architecture")) {
                add(mains, module, "src/main/java", "target/classes");
                add(tests, module, "src/test/java", "target/test-classes");
            }
        }
        List<Unit> units = new ArrayList<>();
        mains.forEach((path, module) -> imported(path).forEach(c -> units.add(new Unit(c, module, false))));
        tests.forEach((path, module) -> imported(path).forEach(c -> units.add(new Unit(c, module, true))));
        return new CodeBase(units);
    }

    private static void add(Map<Path, String> to, String module, String sources, String classes) {
        Path directory = Repository.ROOT.resolve(module);
        Path compiled = directory.resolve(classes);
        if (Files.isDirectory(directory.resolve(sources))) {
            if (!Files.isDirectory(compiled)) {
                throw new IllegalStateException(module + " has " + sources + " but no " + classes
                        + ": the rules judge what the reactor compiled, so run 'mvn verify' in the root");
            }
            to.put(compiled, module);
        }
    }

    private static List<JavaClass> imported(Path classes) {
        return new ClassFileImporter()
                .importPath(classes).stream()
                        .filter(c -> !c.getSimpleName().equals("module-info"))
                        .filter(c -> !isGenerated(c))
                        .toList();
    }

    /** What jcstress makes of its tests; how it sleeps and prints is its own affair. */
    private static boolean isGenerated(JavaClass c) {
        return c.getName().contains("_jcstress");
    }

    Stream<Unit> units() {
        return units.values().stream();
    }

    Optional<Unit> find(String className) {
        return Optional.ofNullable(units.get(className));
    }
}
