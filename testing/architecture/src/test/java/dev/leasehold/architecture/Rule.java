package dev.leasehold.architecture;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One rule of the code base.
 *
 * @param id the package below {@code planted} that breaks this rule, and nothing but this rule
 * @param sentence the requirement
 * @param scope the classes that it applies to
 * @param judge finds the violations of one of them
 */
record Rule(String id, String sentence, Predicate<Unit> scope, Judge judge) {
    /** Finds the violations of one class. */
    @FunctionalInterface
    interface Judge {
        Stream<String> violations(Unit unit, CodeBase codeBase);
    }

    /** A violation of the rule. */
    record Violation(Unit unit, String text) {
        @Override
        public String toString() {
            return unit.module() + ": " + text;
        }
    }

    List<Violation> check(CodeBase codeBase) {
        return codeBase.units()
                .filter(scope)
                .flatMap(unit -> judge.violations(unit, codeBase).map(text -> new Violation(unit, text)))
                .distinct()
                .toList();
    }

    @Override
    public String toString() {
        return sentence;
    }
}
