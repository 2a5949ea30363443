package dev.leasehold.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The models of the protocol and of renewal over a quorum, each with the result that TLC must report. {@code verification/model/run}
 * runs all of them.
 */
class ModelsTest {

    static List<Specification> toHold() throws IOException {
        return Specification.all().stream()
                .filter(one -> one.inBuild() && one.violated().isEmpty())
                .toList();
    }

    static List<Specification> toBeRefuted() throws IOException {
        return Specification.all().stream()
                .filter(one -> one.inBuild() && !one.violated().isEmpty())
                .toList();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("toHold")
    void whatIsUsedHoldsInEveryState(Specification specification) throws IOException, InterruptedException {
        Tlc.Result result = Tlc.explore(specification);
        assertThat(result.holds()).as(result.output()).isTrue();
        assertThat(result.states()).as("distinct states").isGreaterThanOrEqualTo(specification.states());
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("toBeRefuted")
    void whatIsRefutedShowsItsCounterexample(Specification specification) throws IOException, InterruptedException {
        Tlc.Result result = Tlc.explore(specification);
        assertThat(result.violated()).as(result.output()).isEqualTo(specification.violated());
        // That of an induction is one step.
        assertThat(result.steps())
                .as("states of the counterexample")
                .isGreaterThan(specification.isInduction() ? 1 : 3);
    }

    @Test
    void everyModelHasACase() throws IOException {
        try (Stream<Path> files = Files.list(Specification.DIRECTORY)) {
            List<String> modules = files.map(file -> file.getFileName().toString())
                    // It has the operators of traces, and no behaviour.
                    .filter(file -> file.endsWith(".tla") && !file.equals("TraceLines.tla"))
                    .map(file -> file.replace(".tla", ""))
                    .toList();
            assertThat(Specification.all()).extracting(Specification::module).containsAll(modules);
        }
    }
}
