package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.platform.commons.annotation.Testable;

/** Rules against tests that never run. */
final class TestRules {
    private static final Set<String> SKIPPING = Set.of(
            "org.junit.jupiter.api.Disabled",
            "org.junit.jupiter.api.Assumptions",
            "org.junit.Assume",
            "org.junit.Ignore",
            "org.assertj.core.api.Assumptions",
            "org.opentest4j.TestAbortedException");
    private static final String CONDITIONS = "org.junit.jupiter.api.condition";
    private static final Set<String> TAGS = Set.of("full", "jdk25", "long", "nightly");

    private TestRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "nothingskipped",
                        "no test is disabled, conditional or built on an assumption",
                        unit -> true,
                        (unit, codeBase) -> skips(unit.javaClass())),
                new Rule(
                        "everytestruns",
                        "a class with tests is called *Test or *IT, or is a contract of the matrix, or nothing runs it",
                        unit -> true,
                        (unit, codeBase) -> isOverlooked(unit)
                                ? Stream.of(unit.name()
                                        + " has tests, but its name ends neither in Test nor in IT, and the modules of adapters"
                                        + " do not run it as a contract")
                                : Stream.empty()),
                new Rule(
                        "knowntags",
                        "tests have no tag but " + TAGS,
                        unit -> true,
                        (unit, codeBase) -> unknownTags(unit.javaClass())));
    }

    private static Stream<String> skips(JavaClass c) {
        return c.getDirectDependenciesFromSelf().stream()
                .filter(dependency ->
                        SKIPPING.contains(dependency.getTargetClass().getName())
                                || dependency.getTargetClass().getPackageName().startsWith(CONDITIONS))
                .map(Dependency::getDescription);
    }

    private static boolean isOverlooked(Unit unit) {
        JavaClass c = unit.javaClass();
        boolean runnable = !c.getModifiers().contains(JavaModifier.ABSTRACT) && !c.isInterface();
        JavaClass outermost = c;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        // Nested classes of an abstract class run as part of the classes that inherit it.
        boolean inherited = outermost != c && outermost.getModifiers().contains(JavaModifier.ABSTRACT);
        String name = outermost.getSimpleName();
        return runnable
                && !inherited
                && !name.endsWith("Test")
                && !name.endsWith("IT")
                && !isContract(unit.module(), outermost)
                && c.getAllMethods().stream().anyMatch(method -> method.isMetaAnnotatedWith(Testable.class));
    }

    /** The modules of adapters run the classes of leasehold-tck of this name, once for each combination of the matrix. */
    private static boolean isContract(String module, JavaClass c) {
        return module.equals("leasehold-tck")
                && c.getSimpleName().endsWith("Contract")
                && c.getAllRawSuperclasses().stream().anyMatch(each -> each.isAnnotatedWith(ParameterizedClass.class));
    }

    private static Stream<String> unknownTags(JavaClass c) {
        return Stream.concat(Stream.of(c), c.getMethods().stream())
                .flatMap(element -> element.getAnnotations().stream())
                .flatMap(TestRules::tags)
                .filter(tag -> !TAGS.contains(tag))
                .map(tag -> c.getName() + " uses the tag '" + tag + "', which no profile knows");
    }

    private static Stream<String> tags(JavaAnnotation<?> annotation) {
        JavaClass type = annotation.getRawType();
        if (type.isEquivalentTo(Tag.class)) {
            return Stream.of(annotation.as(Tag.class).value());
        }
        return type.isEquivalentTo(Tags.class)
                ? Stream.of(annotation.as(Tags.class).value()).map(Tag::value)
                : Stream.empty();
    }
}
