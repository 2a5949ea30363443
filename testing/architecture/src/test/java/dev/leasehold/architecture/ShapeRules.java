package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;

/** Cycles: between classes of the core there are small ones only, and between its packages none. */
final class ShapeRules {
    /** Four classes that know each other can still be read together. */
    static final int LARGEST_KNOT = 4;

    /** The doors through which the API opens what is behind it: their arrows inwards close no cycle. */
    private static final Set<String> DOORS = Set.of(
            "dev.leasehold.LeaseholdBuilder",
            "dev.leasehold.LockFormat",
            "dev.leasehold.spi.TimeSource",
            // They belong to a client, and the root package names what they return.
            "dev.leasehold.diagnostics.Diagnostics",
            "dev.leasehold.inspect.Inspector");

    private static final Map<CodeBase, Graph> CLASSES = new WeakHashMap<>();
    private static final Map<CodeBase, Graph> PACKAGES = new WeakHashMap<>();

    private ShapeRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "smallknots",
                        "no cycle of classes in the core has more than " + LARGEST_KNOT + " of them",
                        ShapeRules::topLevelOfCore,
                        ShapeRules::knot),
                new Rule(
                        "packagesinlayers",
                        "packages of the core depend on each other in one direction only",
                        ShapeRules::topLevelOfCore,
                        ShapeRules::packageCycle));
    }

    private static boolean topLevelOfCore(Unit unit) {
        return unit.core() && unit.javaClass().isTopLevelClass() && !isPackageInfo(unit.name());
    }

    private static boolean isPackageInfo(String name) {
        return name.endsWith(".package-info");
    }

    private static Stream<String> knot(Unit unit, CodeBase codeBase) {
        Set<String> cycle = classes(codeBase).cycleOf(unit.name());
        return cycle.size() <= LARGEST_KNOT
                ? Stream.empty()
                : Stream.of(unit.name() + " lies on a cycle of " + cycle.size() + " classes: " + cycle);
    }

    private static Stream<String> packageCycle(Unit unit, CodeBase codeBase) {
        String from = unit.javaClass().getPackageName();
        Set<String> cycle = packages(codeBase).cycleOf(from);
        return classes(codeBase).from(unit.name()).stream()
                .filter(to -> !packageOf(to).equals(from) && cycle.contains(packageOf(to)))
                .map(to -> unit.name() + " uses " + to + " on a cycle of packages: " + cycle);
    }

    private static synchronized Graph classes(CodeBase codeBase) {
        return CLASSES.computeIfAbsent(codeBase, ShapeRules::classGraph);
    }

    private static synchronized Graph packages(CodeBase codeBase) {
        return PACKAGES.computeIfAbsent(codeBase, any -> {
            Graph packages = new Graph();
            codeBase.units().filter(ShapeRules::topLevelOfCore).forEach(unit -> {
                String from = unit.javaClass().getPackageName();
                classes(codeBase).from(unit.name()).stream()
                        .map(ShapeRules::packageOf)
                        .filter(to -> !to.equals(from))
                        .forEach(to -> packages.add(from, to));
            });
            return packages;
        });
    }

    /** Which top-level class of the core uses which; a nested class counts as part of its outermost one. */
    static Graph classGraph(CodeBase codeBase) {
        Graph graph = new Graph();
        codeBase.units().filter(Unit::core).forEach(unit -> {
            String from = outermost(unit.javaClass()).getName();
            unit.javaClass().getDirectDependenciesFromSelf().stream()
                    .map(dependency -> outermost(dependency.getTargetClass().getBaseComponentType()))
                    .map(JavaClass::getName)
                    .filter(to -> !to.equals(from)
                            && codeBase.find(to).filter(Unit::core).isPresent())
                    .filter(to -> !DOORS.contains(from))
                    .forEach(to -> graph.add(from, to));
        });
        return graph;
    }

    private static JavaClass outermost(JavaClass c) {
        Optional<JavaClass> enclosing = c.getEnclosingClass();
        return enclosing.isPresent() ? outermost(enclosing.get()) : c;
    }

    static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.'));
    }
}
