package dev.leasehold.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    private static final List<ShortHistory> SHORT = List.of(
            new ShortHistory("a grant to a process that has died")
                    .asks(0, "w1.a", 0, 900)
                    .death(10, "w1")
                    .granted(20, "w1.a", 0, 900),
            new ShortHistory("a lease that begins after the next")
                    .asks(0, "w1.a", 0, 300)
                    .asks(500, "w2.b", 500, 1400)
                    .granted(510, "w2.b", 500, 1400)
                    .granted(600, "w1.a", 0, 1500),
            new ShortHistory("a release that returns before it is sent")
                    .asks(0, "w1.a", 0, 900)
                    .granted(10, "w1.a", 0, 900)
                    .released(20, "w1.a"),
            usedOnce("a token that is behind the time")
                    .asks(3000, "w2.b", 1500, 3900)
                    .granted(3010, "w2.b", 1500, 3900),
            usedOnce("busy long after the last hold")
                    .lost(4900, "w1.a")
                    .asksInVain(6000, "w2.b")
                    .busy(6010, "w2.b"),
            new ShortHistory("a lease that outlives the loss of its hold")
                    .asks(0, "w1.a", 0, 900)
                    .granted(10, "w1.a", 0, 900)
                    .flushed(100)
                    .asks(200, "w2.b", 200, 1100)
                    .granted(210, "w2.b", 200, 1100)
                    .holds(250, "w1.a", 1200),
            new ShortHistory("a lease that counts as held after its release, though Redis has lost it")
                    .asks(0, "w1.a", 0, 900)
                    .granted(10, "w1.a", 0, 900)
                    .flushed(100)
                    .releases(150, "w1.a")
                    .holds(160, "w1.a", 900),
            new ShortHistory("a token that is given again long after data was lost")
                    .asks(0, "w1.a", 0, 900)
                    .flushed(100)
                    .granted(1500, "w1.a", 0, 900)
                    .asks(2000, "w2.b", -300, 2900)
                    .granted(2010, "w2.b", -300, 2900),
            retainedAndFlushed("a retained hold that another client uses")
                    .asks(300, "w3.c", 300, 1000)
                    .granted(310, "w3.c", 300, 1000),
            retainedAndFlushed("a retained hold that is used again with its old token")
                    .asks(300, "w1.c", 0, 1000)
                    .granted(310, "w1.c", 0, 1000),
            retainedAndFlushed("a retained hold that is used again too late")
                    .asks(900, "w1.c", 900, 1000)
                    .granted(910, "w1.c", 900, 1000),
            usedOnce("a hold that was not retained")
                    .flushed(1000)
                    .asks(1100, "w2.b", 1100, 2000)
                    .granted(1110, "w2.b", 1100, 2000)
                    .asks(1200, "w1.c", 1200, 2000)
                    .granted(1210, "w1.c", 1200, 2000));

    private static ShortHistory usedOnce(String name) {
        return new ShortHistory(name)
                .asks(0, "w1.a", 0, 900)
                .granted(10, "w1.a", 0, 900)
                .releases(20, "w1.a")
                .released(30, "w1.a");
    }

    /** A client retains its hold, Redis loses it, and another client acquires the lock. */
    private static ShortHistory retainedAndFlushed(String name) {
        return new ShortHistory(name)
                .asksAndRetains(0, "w1.a", 0, 900)
                .granted(10, "w1.a", 0, 900)
                .releases(20, "w1.a")
                .released(30, "w1.a")
                .flushed(100)
                .asks(200, "w2.b", 200, 1100)
                .granted(210, "w2.b", 200, 1100);
    }

    @Test
    void aHistoryIsExplainedAndEachDeviationIsRejectedWhereItIs(@TempDir Path directory) throws Exception {
        List<String> history = Deviation.lines("history.jsonl");
        List<String> lines = new ArrayList<>(history);
        lines.addAll(lossOfData(history));
        DEVIATIONS.forEach(one -> lines.addAll(one.apply(history)));
        SHORT.forEach(one -> lines.addAll(one.lines()));
        Path file = directory.resolve("histories");
        Files.write(file, lines);

        Tlc.Followed followed = Tlc.follow(Tlc.CHAOS, file);

        assertThat(followed.rejected())
                .as(followed.output())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                DEVIATIONS.stream().map(one -> one.name() + " " + one.rejected()),
                                SHORT.stream().map(ShortHistory::rejected))
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
