package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Rules for dependencies between modules and packages. */
final class LayerRules {
    /** The packages of the core that it exports. */
    static final Set<String> CORE_PACKAGES = Set.of(
            "dev.leasehold",
            "dev.leasehold.spi",
            "dev.leasehold.event",
            "dev.leasehold.inspect",
            "dev.leasehold.interop",
            "dev.leasehold.recipes",
            "dev.leasehold.quorum",
            "dev.leasehold.diagnostics",
            "dev.leasehold.redis");

    private static final List<String> SEEN_BY_CORE = List.of(
            "java.",
            "jdk.jfr.",
            "jdk.net.",
            "javax.net.",
            "javax.security.",
            "javax.crypto.",
            "org.slf4j.",
            "org.jspecify.",
            "io.netty.util.");
    /** Modules that combine others. */
    private static final Map<String, Set<String>> PUT_TOGETHER = Map.of(
            "leasehold-spring-data-redis",
            Set.of("leasehold-lettuce", "leasehold-jedis"),
            "leasehold-spring",
            Set.of("leasehold-annotations"),
            "leasehold-micronaut",
            Set.of("leasehold-annotations", "leasehold-lettuce", "leasehold-micrometer"),
            "leasehold-spring-boot-autoconfigure",
            Set.of(
                    "leasehold-annotations",
                    "leasehold-spring",
                    "leasehold-spring-data-redis",
                    "leasehold-micrometer",
                    "leasehold-spring-integration",
                    "leasehold-shedlock",
                    "leasehold-console"),
            "leasehold-spring-boot-3",
            Set.of("leasehold-annotations", "leasehold-spring", "leasehold-spring-boot-autoconfigure"),
            "leasehold-quarkus",
            Set.of("leasehold-annotations", "leasehold-micrometer"),
            "leasehold-quarkus-deployment",
            Set.of("leasehold-annotations", "leasehold-quarkus"),
            "leasehold-spring-boot-test",
            Set.of(
                    "leasehold-annotations",
                    "leasehold-spring",
                    "leasehold-spring-boot-autoconfigure",
                    "leasehold-testkit"),
            "verification/model",
            Set.of("verification/simulation"));

    private static final Set<String> ADAPTERS =
            Set.of("leasehold-lettuce", "leasehold-jedis", "leasehold-spring-data-redis");

    private static final Set<String> TEST_AIDS = Set.of("leasehold-testkit", "leasehold-tck");

    /** The packages of the lease engine. */
    private static final Set<String> ENGINE = Set.of(
            "lock",
            "acquire",
            "lease",
            "renew",
            "wait",
            "foreign",
            "release",
            "inspection",
            "latch",
            "election",
            "request",
            "wakeup",
            "dispatch",
            "engine");

    /** The packages behind the store, which the engine must not know. */
    private static final Set<String> BEHIND_THE_STORE =
            Set.of("script", "combine", "redis", "quorum", "connect", "check", "client");

    /** Failures, listeners, clocks and capabilities: all that the engine may use of the ports to Redis. */
    private static final Set<String> SPI_OF_ENGINE = Set.of(
            "ChannelListener",
            "InvalidationListener",
            "RedisErrorException",
            "ServerDescription$Capability",
            "TimeSource",
            "Timer",
            "Timer$Timeout",
            "TransportException");

    private LayerRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "coreseesonlyitsown",
                        "the core sees the JDK, SLF4J, JSpecify and Netty's utilities: no Redis client, no framework",
                        Unit::core,
                        (unit, codeBase) -> foreign(unit, codeBase)),
                new Rule(
                        "siblingsarestrangers",
                        "everything points to the core, and siblings never at each other, except a module that combines them",
                        unit -> true,
                        LayerRules::siblings),
                new Rule(
                        "adaptersuseports",
                        "an adapter sees of the core only what an adapter of anybody else sees: the exported packages",
                        unit -> unit.main() && ADAPTERS.contains(unit.module()),
                        LayerRules::internals),
                new Rule(
                        "engineknowsitsstore",
                        "the engine sends requests to a LockStore, and knows neither scripts nor connections",
                        unit -> unit.core()
                                && ENGINE.contains(area(unit.javaClass().getPackageName())),
                        (unit, codeBase) -> dependencies(unit)
                                .filter(dependency -> isBehindTheStore(
                                        dependency.getTargetClass().getBaseComponentType()))
                                .map(Dependency::getDescription)),
                new Rule(
                        "corepackages",
                        "a package of the core is exported on purpose, or internal",
                        Unit::core,
                        (unit, codeBase) -> unit.internal()
                                        || CORE_PACKAGES.contains(
                                                unit.javaClass().getPackageName())
                                ? Stream.empty()
                                : Stream.of(unit.name() + " is in a package that is neither exported nor internal")),
                new Rule(
                        "onepackageonemodule",
                        "a package belongs to one module only",
                        Unit::main,
                        LayerRules::splitPackage));
    }

    private static Stream<String> foreign(Unit unit, CodeBase codeBase) {
        return dependencies(unit)
                .filter(dependency -> !isSeenByCore(dependency.getTargetClass(), codeBase))
                .map(Dependency::getDescription);
    }

    private static boolean isSeenByCore(JavaClass target, CodeBase codeBase) {
        String name = target.getBaseComponentType().getName();
        return target.getBaseComponentType().isPrimitive()
                || SEEN_BY_CORE.stream().anyMatch(name::startsWith)
                || codeBase.find(name).filter(Unit::core).isPresent();
    }

    private static boolean isBehindTheStore(JavaClass target) {
        String area = area(target.getPackageName());
        boolean ours = target.getName().startsWith("dev.leasehold.");
        boolean port = area.equals("spi") && !SPI_OF_ENGINE.contains(nameWithin(target));
        return ours && (port || BEHIND_THE_STORE.contains(area));
    }

    private static String nameWithin(JavaClass c) {
        return c.getName().substring(c.getPackageName().length() + 1);
    }

    /** Returns the name of a package below {@code internal}, without its subpackages; else its last part. */
    private static String area(String packageName) {
        String below = packageName.replaceFirst(".*\\.internal\\.", "");
        return below.equals(packageName)
                ? packageName.substring(packageName.lastIndexOf('.') + 1)
                : below.replaceFirst("\\..*", "");
    }

    private static Stream<String> siblings(Unit unit, CodeBase codeBase) {
        return dependencies(unit)
                .filter(dependency -> codeBase.find(dependency
                                .getTargetClass()
                                .getBaseComponentType()
                                .getName())
                        .filter(target -> !maySee(unit, target))
                        .isPresent())
                .map(Dependency::getDescription);
    }

    private static Stream<String> internals(Unit unit, CodeBase codeBase) {
        return dependencies(unit)
                .filter(dependency -> codeBase.find(dependency
                                .getTargetClass()
                                .getBaseComponentType()
                                .getName())
                        .filter(target -> target.core()
                                && target.internal()
                                && !target.javaClass().isAnnotation())
                        .isPresent())
                .map(Dependency::getDescription);
    }

    private static boolean maySee(Unit unit, Unit target) {
        String from = unit.module();
        String to = target.module();
        if (from.equals(to) || to.equals(Unit.CORE)) {
            return true;
        }
        if (!unit.published() || unit.commandLine()) {
            // The command line, examples and measurements use the published modules, but no module uses them.
            return (target.published() && !target.commandLine())
                    || PUT_TOGETHER.getOrDefault(from, Set.of()).contains(to);
        }
        if (from.equals("leasehold-tck")) {
            return to.equals("leasehold-testkit");
        }
        return PUT_TOGETHER.getOrDefault(from, Set.of()).contains(to) || (unit.test() && TEST_AIDS.contains(to));
    }

    private static Stream<String> splitPackage(Unit unit, CodeBase codeBase) {
        return codeBase.units()
                .filter(Unit::main)
                .filter(other -> !other.module().equals(unit.module()))
                .filter(other -> other.javaClass()
                        .getPackageName()
                        .equals(unit.javaClass().getPackageName()))
                .map(other -> "package " + unit.javaClass().getPackageName() + " is also in " + other.module());
    }

    private static Stream<Dependency> dependencies(Unit unit) {
        return unit.javaClass().getDirectDependenciesFromSelf().stream();
    }
}
