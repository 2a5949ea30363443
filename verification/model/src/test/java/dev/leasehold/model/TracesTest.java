package dev.leasehold.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulation.TraceRunner;
import dev.leasehold.simulation.mutant.Mutants;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulated runs of the engine and its scripts are behaviours of the model of the protocol, and others are not. */
class TracesTest {

    private static final long FIRST_SEED = 1_000_001;
    private static final int SEEDS = 100;
    private static final int BATCH = 50;

    private static final List<Deviation> DEVIATIONS = List.of(
            new Deviation("a token that is not the next", 1, "\"token\":10000000", "\"token\":10000001"),
            new Deviation("more tokens than were reserved", 1, "\"highest\":10000004", "\"highest\":10000005"),
            new Deviation("a grant that is longer than its answer", 1, "\"left\":2000000", "\"left\":1000000"),
            new Deviation("a key that expires too early", 1, "\"expiry\":13001000", "\"expiry\":12999000"),
            new Deviation("a grant after notAfter", 1, "\"notAfter\":11000000", "\"notAfter\":9999999"),
            new Deviation("a lease that counts for longer than Redis holds it", 2, "11990000", "12000001"),
            new Deviation("a lease with a token that is not its own", 2, "\"token\":10000000", "\"token\":10000005"),
            new Deviation("a lease of a hold that was not granted", 2, "\"id\":1", "\"id\":2"),
            new Deviation("a lock that is held and granted", 3, "\"code\":\"busy\"", "\"code\":\"granted\""),
            new Deviation("a refusal that tells the wrong end", 3, "\"left\":1999800", "\"left\":1999801"),
            new Deviation(
                    "a refusal that changes the hold",
                    3,
                    "\"length\":2000000,\"first\":10000000,\"last\":10000004,\"expiry\":13001000,\"waited\":true",
                    "\"length\":2000001,\"first\":10000000,\"last\":10000004,\"expiry\":13001000,\"waited\":true"),
            new Deviation(
                    "a key that changed between two calls",
                    4,
                    "\"before\":{\"kind\":\"held\",\"id\":1,\"from\":10000000",
                    "\"before\":{\"kind\":\"held\",\"id\":1,\"from\":10000001"),
            new Deviation(
                    "a renewal that ends at another time",
                    4,
                    "\"after\":{\"kind\":\"held\",\"id\":1,\"from\":11000000",
                    "\"after\":{\"kind\":\"held\",\"id\":1,\"from\":11000001"),
            new Deviation("a renewal of another's hold", 4, "\"id\":1,\"lease\"", "\"id\":2,\"lease\""),
            new Deviation("a token that was given out already", 7, "\"token\":10000001", "\"token\":10000000"),
            new Deviation("a lease that is held after its end", 7, "\"lease\":8", "\"lease\":7"),
            new Deviation("a release under a lease that counts as held", 8, "\"lease\":8", "\"lease\":9", 9),
            new Deviation("a release without a tombstone", 9, "\"stones\":[[1,11500000]]", "\"stones\":[]"),
            new Deviation("a late copy that is granted", 10, "\"code\":\"stale\"", "\"code\":\"granted\""),
            new Deviation("Redis' clock steps without a fault", 10, "\"time\":11000500", "\"time\":11000501"),
            new Deviation(
                    "a token below the last",
                    11,
                    "\"token\":11000600,\"highest\":11000600",
                    "\"token\":10000004,\"highest\":10000004"),
            new Deviation(
                    "a fault that keeps data and loses it",
                    13,
                    "\"after\":{\"kind\":\"held\"",
                    "\"after\":{\"kind\":\"none\""),
            new Deviation(
                    "a read that changes the hold",
                    14,
                    "\"after\":{\"kind\":\"held\",\"id\":2",
                    "\"after\":{\"kind\":\"held\",\"id\":3"),
            new Deviation("a hold of the future that is not healed", 15, "\"left\":2000000", "\"left\":6400400"),
            new Deviation(
                    "a hold that is shortened while its lease counts as held", 20, "\"client\":2", "\"client\":1", 21),
            new Deviation("a hold that is retained for longer", 21, "\"left\":500000", "\"left\":500001"),
            new Deviation(
                    "tokens of a retained hold that are not given back",
                    22,
                    "\"last\":7000900,\"expiry\":10501000,\"waited\":false,",
                    "\"last\":7500800,\"expiry\":10501000,\"waited\":false,"),
            new Deviation(
                    "tokens of another hold that are given back", 21, "\"retained\":true", "\"retained\":false", 22));

    @Test
    void aBehaviourIsFollowedAndEachDeviationIsRejectedWhereItIs(@TempDir Path directory) throws Exception {
        List<String> trace = Deviation.lines("trace.jsonl");
        List<String> lines = new ArrayList<>(trace);
        DEVIATIONS.forEach(one -> lines.addAll(one.apply(trace)));
        Path file = directory.resolve("deviations");
        Files.write(file, lines);

        Tlc.Followed followed = Tlc.follow(Tlc.SIMULATED, file);

        assertThat(followed.traces()).as(followed.output()).isEqualTo(1);
        assertThat(followed.lines()).isEqualTo(trace.size());
        assertThat(followed.unmodelled()).isZero();
        assertThat(followed.rejected())
                .as(followed.output())
                .containsExactlyInAnyOrderElementsOf(DEVIATIONS.stream()
                        .map(one -> one.name() + " " + one.rejected())
                        .toList());
    }

    @Test
    void everyMutantThatTheModelDoesNotRejectExists() throws IOException {
        List<String> unseen = Deviation.lines("unseen-mutants.txt").stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(Mutants.all())
                .extracting(mutant -> mutant.name().replace('"', '\''))
                .containsAll(unseen);
        assertThat(unseen).doesNotHaveDuplicates().hasSizeLessThan(Mutants.all().size());
    }

    /** On two processors, as TLC follows each trace alone. {@code verification/model/traces} checks any number of seeds. */
    @Tag("long")
    @Test
    void everyRunIsABehaviour(@TempDir Path directory) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Tlc.Followed>> batches = new ArrayList<>();
            for (int i = 0; i < SEEDS; i += BATCH) {
                long first = FIRST_SEED + i;
                batches.add(() -> follow(directory.resolve("seeds-" + first), first));
            }
            for (Future<Tlc.Followed> batch : executor.invokeAll(batches)) {
                Tlc.Followed followed = batch.get();
                assertThat(followed.rejected()).as(followed.output()).isEmpty();
                assertThat(followed.traces()).as("traces").isGreaterThan(BATCH * 2);
                assertThat(followed.unmodelled())
                        .as("calls that were not checked")
                        .isLessThan(followed.lines() / 4);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private static Tlc.Followed follow(Path file, long first) throws IOException, InterruptedException {
        TraceRunner runner = new TraceRunner();
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (long seed = first; seed < first + BATCH; seed++) {
                for (String line : runner.apply(seed)) {
                    writer.write(line);
                    writer.newLine();
                }
            }
        }
        return Tlc.follow(Tlc.SIMULATED, file);
    }
}
