package dev.leasehold.architecture.planted.everytestruns;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@Plays(module = "leasehold-core", test = true)
final class BreaksByFactory {
    @TestFactory
    List<DynamicTest> tests() {
        return List.of();
    }
}
