package dev.leasehold.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoriesTest {

    @Test
    void filesOfSeveralProcessesAreReadInTheOrderOfTime(@TempDir Path directory) {
        try (HistoryFile one = HistoryFile.create(directory, "one");
                HistoryFile two = HistoryFile.create(directory, "two")) {
            one.add(3, "0", "op", What.GRANTED, "lock", 17, 4, "a\tnote\nof two lines");
            two.add(1, "", "", What.HEALED, 0, "");
        }

        assertThat(Histories.read(directory))
                .containsExactly(
                        new Event(1, "two", "", "", What.HEALED, "", 0, 0, ""),
                        new Event(3, "one", "0", "op", What.GRANTED, "lock", 17, 4, "a note of two lines"));
    }

    @Test
    void aLastLineThatSigkillCutIsSkipped(@TempDir Path directory) throws Exception {
        try (HistoryFile one = HistoryFile.create(directory, "one")) {
            one.add(3, "0", "op", What.HELD, "lock", 0, 0, "");
        }
        Files.writeString(directory.resolve("one.history"), "5\tone\t0\top\tREL", StandardOpenOption.APPEND);

        assertThat(Histories.read(directory)).hasSize(1);
    }
}
