package dev.leasehold.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history of a chaos run is explained by a server that obeys the protocol, and others are not. {@code history.jsonl} is the
 * beginning of a real one; {@code verification/model/traces --chaos} checks whole runs.
 */
@Tag("long")
class ChaosHistoryTest {

    private static final String LOST = "\"line\":\"lost\"";
    private static final String HOLDS = "\"line\":\"holds\",\"until\":6000000";

    private static final List<Deviation> DEVIATIONS = List.of(
            new Deviation("busy though nobody has the lock", 2, "\"line\":\"granted\"", "\"line\":\"busy\""),
            new Deviation("a grant to nobody", 23, "w2.4.9", "w9.9.9"),
            new Deviation("a lease of a process that has died", 24, "\"line\":\"holds\"", "\"line\":\"death\"", 25),
            new Deviation("a release by nobody", 27, "w2.4.9", "w9.9.9"),
            new Deviation("a lease that counts for longer than it lasts", 33, "\"until\":3487902", "\"until\":3587902"),
            new Deviation("a lease that counts as held after its release", 36, "\"line\":\"released\"", HOLDS),
            new Deviation("a token below the last", 0, "\"token\":101168308", "\"token\":101093467", 44),
            new Deviation("a token that was given out already", 0, "\"token\":101168308", "\"token\":101093468", 44),
            new Deviation("a token that is not the one of the grant", 44, "\"token\":101168308", "\"token\":101168309"),
            new Deviation("a loss before the end of the lease", 243, "\"until\":5869638", "\"until\":5960000", 247),
            new Deviation("a grant while another lease counts as held", 247, LOST, HOLDS, 248),
            new Deviation("a lease that counts as held after its loss", 254, LOST, HOLDS),
            new Deviation(
                    "a release that succeeds after the loss", 254, LOST, "\"line\":\"released\",\"failed\":false"));

    @Test
    void aHistoryIsExplainedAndEachDeviationIsRejectedWhereItIs(@TempDir Path directory) throws Exception {
        List<String> history = Deviation.lines("history.jsonl");
        List<String> lines = new ArrayList<>(history);
        lines.addAll(lossOfData(history));
        DEVIATIONS.forEach(one -> lines.addAll(one.apply(history)));
        Path file = directory.resolve("histories");
        Files.write(file, lines);

        Tlc.Followed followed = Tlc.follow(Tlc.CHAOS, file);

        assertThat(followed.rejected())
                .as(followed.output())
                .containsExactlyInAnyOrderElementsOf(DEVIATIONS.stream()
                        .map(one -> one.name() + " " + one.rejected())
                        .toList());
        assertThat(followed.traces()).as(followed.output()).isEqualTo(2);
        assertThat(followed.lines()).isEqualTo(history.size() * 2L + 2);
    }

    /** Two leases count as held, which a fault that loses data explains. */
    private static List<String> lossOfData(List<String> history) {
        List<String> lines = new ArrayList<>(history.subList(0, 246));
        lines.add("{\"trace\":\"T\",\"line\":\"loses\",\"at\":5930000,\"fault\":\"flushall\"}");
        lines.add("{\"trace\":\"T\",\"line\":\"over\",\"at\":5940000,\"fault\":\"flushall\"}");
        lines.add(history.get(246).replace(LOST, HOLDS));
        lines.addAll(history.subList(247, history.size()));
        return Deviation.named("data is lost", lines);
    }
}
