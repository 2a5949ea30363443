package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the reactor's compiled classes by every rule. */
class ArchitectureTest {
    private static final CodeBase REPOSITORY = CodeBase.ofRepository();

    static Iterable<Rule> rules() {
        return Rules.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void holdsEverywhere(Rule rule) {
        assertThat(rule.check(REPOSITORY)).as(rule.sentence()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void hasSomethingToJudge(Rule rule) {
        assertThat(REPOSITORY.units().filter(rule.scope()))
                .as("classes judged by: %s", rule.sentence())
                .isNotEmpty();
    }
}
