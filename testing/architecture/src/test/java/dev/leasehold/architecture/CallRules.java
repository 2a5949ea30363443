package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Rules for calls. */
final class CallRules {
    private static final String TIME_PACKAGE = "dev.leasehold.internal.time";
    private static final Set<String> FOREIGN_LOGGING =
            Set.of("java.util.logging", "org.apache.commons.logging", "org.apache.logging", "org.apache.log4j");

    private static final String LEASE = "dev.leasehold.Lease";
    /** The methods of stages that return one that depends on no other. */
    private static final Set<String> WITHOUT_DEPENDENCY =
            Set.of("completedFuture", "completedStage", "failedFuture", "failedStage", "toCompletableFuture");

    private CallRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "onetimepackage",
                        "core and adapters read a clock in " + TIME_PACKAGE + " only",
                        unit -> unit.engine() && !inTimePackage(unit),
                        (unit, codeBase) -> calls(unit, CallRules::readsClock)),
                new Rule(
                        "nobodysleeps",
                        "no code sleeps: code waits for a condition, in tests too",
                        unit -> !inTimePackage(unit),
                        (unit, codeBase) -> calls(unit, CallRules::sleeps)),
                new Rule(
                        "testsdonotpark",
                        "tests wait for a condition, not for a time to pass",
                        unit -> unit.testing() && !measuresPauses(unit),
                        (unit, codeBase) -> calls(unit, CallRules::parksForATime)),
                new Rule(
                        "onlytoolsprint",
                        "only the command line, examples and measurements print to standard output or error",
                        unit -> unit.main() && unit.published() && !unit.commandLine(),
                        (unit, codeBase) -> prints(unit)),
                new Rule(
                        "slf4jonly",
                        "logging goes through SLF4J; levels of other loggers are set by the extension of Quarkus, whose build takes them",
                        unit -> !unit.module().equals("leasehold-quarkus-deployment"),
                        (unit, codeBase) -> foreignLogging(unit)),
                new Rule(
                        "stagesofleases",
                        "a stage of a lease depends on no other stage: a caller that cancels it must reach the operation,"
                                + " which gives the lease back",
                        unit -> unit.main() && unit.published(),
                        (unit, codeBase) -> dependentStagesOfLeases(unit)));
    }

    private static boolean inTimePackage(Unit unit) {
        return unit.core() && unit.javaClass().getPackageName().equals(TIME_PACKAGE);
    }

    private static Stream<String> calls(Unit unit, Predicate<CodeUnitAccessTarget> forbidden) {
        return unit.javaClass().getCodeUnitAccessesFromSelf().stream()
                .filter(access -> forbidden.test(access.getTarget()))
                .map(JavaAccess::getDescription);
    }

    private static boolean readsClock(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        String name = target.getName();
        if (owner.isEquivalentTo(System.class)) {
            return name.equals("currentTimeMillis") || name.equals("nanoTime");
        }
        if (owner.getPackageName().startsWith("java.time")) {
            return name.equals("now") || name.startsWith("system") || name.startsWith("tick");
        }
        boolean date = owner.isEquivalentTo(java.util.Date.class)
                && name.equals("<init>")
                && target.getRawParameterTypes().isEmpty();
        return date || owner.isAssignableTo(java.util.Calendar.class) && name.equals("getInstance");
    }

    private static boolean sleeps(CodeUnitAccessTarget target) {
        return target.getName().equals("sleep")
                && (target.getOwner().isAssignableTo(Thread.class)
                        || target.getOwner().isEquivalentTo(TimeUnit.class));
    }

    /** No test: it measures how much later than asked a pause of the machine lets it go on. */
    private static boolean measuresPauses(Unit unit) {
        return unit.name().equals("dev.leasehold.tck.MachineStalls");
    }

    private static boolean parksForATime(CodeUnitAccessTarget target) {
        return target.getOwner().isEquivalentTo(LockSupport.class)
                && (target.getName().equals("parkNanos") || target.getName().equals("parkUntil"));
    }

    private static Stream<String> prints(Unit unit) {
        Stream<String> streams = unit.javaClass().getFieldAccessesFromSelf().stream()
                .filter(access -> access.getTargetOwner().isEquivalentTo(System.class))
                .filter(access -> Set.of("out", "err").contains(access.getName()))
                .map(JavaAccess::getDescription);
        return Stream.concat(streams, calls(unit, CallRules::printsStack));
    }

    private static boolean printsStack(CodeUnitAccessTarget target) {
        return target.getName().equals("printStackTrace")
                        && target.getOwner().isAssignableTo(Throwable.class)
                        && target.getRawParameterTypes().isEmpty()
                || target.getName().equals("dumpStack") && target.getOwner().isAssignableTo(Thread.class);
    }

    private static Stream<String> dependentStagesOfLeases(Unit unit) {
        return unit.javaClass().getMethods().stream()
                .filter(method -> returnsStageOfLease(method.getReturnType()))
                .flatMap(method -> method.getCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().isAssignableTo(CompletionStage.class)
                        && call.getTarget().getRawReturnType().isAssignableTo(CompletionStage.class)
                        && !WITHOUT_DEPENDENCY.contains(call.getName()))
                .map(JavaAccess::getDescription);
    }

    private static boolean returnsStageOfLease(JavaType type) {
        return type.toErasure().isAssignableTo(CompletionStage.class)
                && type.getAllInvolvedRawTypes().stream().anyMatch(raw -> raw.isAssignableTo(LEASE));
    }

    private static Stream<String> foreignLogging(Unit unit) {
        return unit.javaClass().getDirectDependenciesFromSelf().stream()
                .filter(dependency -> FOREIGN_LOGGING.stream()
                        .anyMatch(dependency.getTargetClass().getPackageName()::startsWith))
                .map(Dependency::getDescription);
    }
}
