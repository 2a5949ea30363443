package dev.leasehold.simulation.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulation.SeedRunner;
import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every deliberate bug is found, by a seed that the engine without it passes. A build hunts one in four, for each takes seconds;
 * {@code .ci/nightly} hunts all.
 */
class MutantsTest {

    private static final int EVERY = Long.getLong("leasehold.simulation.seeds", 1000) < 1000 ? 4 : 1;

    private final LongFunction<String> engine = new SeedRunner();

    @TestFactory
    Stream<DynamicTest> isCaughtWithinItsSeeds() {
        List<Mutant> all = Mutants.all();
        return IntStream.range(0, all.size())
                .filter(number -> number % EVERY == 0)
                .mapToObj(all::get)
                .map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> hunt(mutant)));
    }

    private void hunt(Mutant mutant) throws IOException {
        try (Core core = Core.with(mutant.edits())) {
            LongFunction<String> mutated = core.seeds();
            for (long seed = mutant.from(); seed < mutant.from() + mutant.within(); seed++) {
                String broken = mutated.apply(seed);
                if (broken != null) {
                    System.out.println("'" + mutant.name() + "' is caught by seed " + seed + ": " + broken);
                    assertThat(engine.apply(seed))
                            .as("the engine itself, seed " + seed)
                            .isNull();
                    return;
                }
            }
        }
        assertThat(mutant.name()).as("survived %d seeds", mutant.within()).isNull();
    }

    @Test
    void areAtLeastTwelveAndNoTwoAreTheSame() {
        List<Mutant> all = Mutants.all();

        assertThat(all).hasSizeGreaterThanOrEqualTo(12);
        assertThat(all).extracting(Mutant::name).doesNotHaveDuplicates();
        assertThat(all).extracting(Mutant::edits).doesNotHaveDuplicates();
    }

    @Test
    void noEditIsOutOfDate() {
        assertThat(Mutants.all())
                .allSatisfy(mutant -> assertThat(Core.changed(mutant.edits())).isNotEmpty());
    }

    @Test
    void anEditThatIsOutOfDateIsRefused() {
        Edit edit = new Edit("java/X.java", "gone", "");

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> edit.apply("text"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no more");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> edit.apply("gone, gone"))
                .hasMessageContaining("more than once");
    }
}
