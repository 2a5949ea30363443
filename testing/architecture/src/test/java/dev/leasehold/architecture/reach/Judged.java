package dev.leasehold.architecture.reach;

import dev.leasehold.architecture.Modules;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The libraries of this repository that an application may put into a native image. */
final class Judged {

    /**
     * Aids for tests, and the build of Quarkus applications, which run on a JVM. The command line needs the first for its demos, which
     * start further JVMs.
     */
    private static final Set<String> ON_A_JVM =
            Set.of("leasehold-testkit", "leasehold-tck", "leasehold-spring-boot-test", "leasehold-quarkus-deployment");

    private Judged() {}

    static Libraries libraries() {
        return new Libraries(Modules.published().entrySet().stream()
                .filter(module -> !ON_A_JVM.contains(module.getKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, module -> module.getValue().resolve("target/classes"))));
    }
}
