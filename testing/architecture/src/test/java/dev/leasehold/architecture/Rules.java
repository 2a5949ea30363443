package dev.leasehold.architecture;

import java.util.List;
import java.util.stream.Stream;

/** Every rule of the code base. */
final class Rules {
    private Rules() {}

    static List<Rule> all() {
        return Stream.of(
                        LayerRules.all(),
                        ApiRules.all(),
                        CallRules.all(),
                        MonitorRules.all(),
                        NameRules.all(),
                        TestRules.all(),
                        ShapeRules.all())
                .flatMap(List::stream)
                .toList();
    }
}
