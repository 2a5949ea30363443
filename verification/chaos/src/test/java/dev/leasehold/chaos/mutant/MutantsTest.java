package dev.leasehold.chaos.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long runs check that mutants are caught; here each must still be the bug that it was. */
class MutantsTest {

    static Stream<Mutant> mutants() {
        return Mutants.all().stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void canStillBeMade(Mutant mutant, @TempDir Path directory) throws Exception {
        assertThat(ChangedClasses.make(mutant, directory)).isNotEmptyDirectory();
    }
}
