package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A gate that cannot fail is no gate: the packages below {@code planted} break every rule on purpose.
 *
 * <p>Top-level classes whose name starts with {@code Breaks} must be found by the rule their package is named after, and the
 * others there must be found by no rule.
 */
class PlantedViolationsTest {
    private static final String PLANTED = "dev.leasehold.architecture.planted";
    private static final List<JavaClass> CLASSES =
            new ClassFileImporter().importPackages(PLANTED).stream().toList();

    static Iterable<Rule> rules() {
        return Rules.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void isFoundByItsRuleAlone(Rule rule) {
        CodeBase planted = new CodeBase(CLASSES.stream()
                .filter(c -> (c.getPackageName() + ".").startsWith(PLANTED + "." + rule.id() + "."))
                .map(PlantedViolationsTest::unit)
                .collect(Collectors.collectingAndThen(Collectors.toList(), PlantedViolationsTest::withPlays)));
        Set<String> expected = planted.units()
                .filter(unit -> unit.javaClass().isTopLevelClass()
                        && unit.javaClass().getSimpleName().startsWith("Breaks"))
                .map(Unit::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(expected).as("planted violations of: %s", rule.sentence()).isNotEmpty();
        for (Rule any : Rules.all()) {
            Set<String> found = any.check(planted).stream()
                    .map(violation -> violation.unit().name())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(found)
                    .as("found in the plants of '%s' by: %s", rule.id(), any.sentence())
                    .isEqualTo(any.id().equals(rule.id()) ? expected : Set.of());
        }
    }

    @Test
    void belongToARule() {
        assertThat(CLASSES.stream()
                        .map(c -> c.getPackageName().substring(PLANTED.length()))
                        .map(name -> name.substring(1).split("\\.")[0])
                        .filter(name -> !name.equals("internal")))
                .isSubsetOf(Rules.all().stream().map(Rule::id).toList());
    }

    /** The annotation counts as a part of the core, so that wearing it is no offence of its own. */
    private static List<Unit> withPlays(List<Unit> units) {
        JavaClass plays = CLASSES.stream()
                .filter(c -> c.isEquivalentTo(Plays.class))
                .findFirst()
                .orElseThrow();
        return Stream.concat(units.stream(), Stream.of(new Unit(plays, Unit.CORE, false)))
                .toList();
    }

    private static Unit unit(JavaClass c) {
        JavaClass outermost = Stream.iterate(c, e -> e.getEnclosingClass().orElse(null))
                .takeWhile(e -> e != null)
                .reduce(c, (inner, outer) -> outer);
        Plays plays = outermost.getAnnotationOfType(Plays.class);
        return new Unit(c, plays.module(), plays.test());
    }
}
