package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Violation;
import dev.leasehold.simulation.trace.HistoryPage;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;

/** The commands of {@code verification/simulation/run}, in the class loader of the observed core. */
public final class Commands implements ToIntFunction<String[]> {

    static final String USAGE = """
            Simulates clients, network and Redis in virtual time, and judges what happened.

              run [--seeds N] [--seed S] [--servers K] [--threads T] [--traces FILE] [--html FILE [--mark NANOS]]
              run --search N [--seed S]
              run --mutants FILE | --hunts

              --seeds N     how many seeds (1000)
              --seed S      the first one (1000001); alone it replays that one seed
              --servers K   the first seed is the first of a range of its own: replicated, for whose replica most acquisitions wait, quorum,
                            or mixed, with one server and each feature drawn for itself
              --threads T   how many at a time (2)
              --traces FILE also writes what the scripts did with each lock, one line of JSON each
              --html FILE   writes the history of the first seed as a page, with what breaks a rule
              --mark NANOS  marks this moment in the page, too
              --search N    N runs of plans that are made from earlier ones, towards edges that seldom met a fault; compares them with seeds
              --hunts       how many plans it takes to catch some mutants, with and without search
              --mutants FILE the same of each mutant, in the first seed that catches it

            Exit status: 0 all is well, 1 a rule was broken, 2 the run met or judged too little, 64 usage.
            """;

    private static final int BROKEN = 1;
    private static final int IDLE = 2;
    private static final int USAGE_ERROR = 64;
    private static final long USUAL_SEEDS = 1000;

    @Override
    public int applyAsInt(String[] args) {
        long first = PlanMaker.FIRST;
        long count = -1;
        int threads = 2;
        boolean single = false;
        String traces = "";
        String html = "";
        long mark = -1;
        int searches = 0;
        try {
            for (int i = 0; i < args.length; i += 2) {
                String value = args[i + 1];
                switch (args[i].toLowerCase(Locale.ROOT)) {
                    case "--seeds" -> count = Long.parseLong(value);
                    case "--seed" -> {
                        first = Long.parseLong(value);
                        single = true;
                    }
                    case "--servers" ->
                        first = SeedRange.valueOf(value.toUpperCase(Locale.ROOT))
                                .first();
                    case "--threads" -> threads = Integer.parseInt(value);
                    case "--traces" -> traces = value;
                    case "--html" -> html = value;
                    case "--search" -> searches = Integer.parseInt(value);
                    case "--mark" -> mark = Long.parseLong(value);
                    default -> throw new IllegalArgumentException("unknown option " + args[i]);
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            System.err.println(e.getMessage());
            System.err.print(USAGE);
            return USAGE_ERROR;
        }
        if (count < 0) {
            count = single ? 1 : USUAL_SEEDS;
        }
        if (searches > 0) {
            return search(first, searches);
        }
        if (!html.isEmpty()) {
            List<HistoryPage.Mark> marks =
                    mark < 0 ? List.of() : List.of(new HistoryPage.Mark(mark, "", "the model cannot follow"));
            Simulation.writePage(PlanMaker.of(first), marks, Path.of(html));
            return 0;
        }
        return traces.isEmpty() ? run(first, count, threads) : trace(first, count, Path.of(traces));
    }

    private static int search(long first, int runs) {
        for (boolean guided : new boolean[] {false, true}) {
            Search.Result result = Search.run(first, runs, guided);
            System.out.printf(
                    "%s: %d runs, %d of %d pairs of an edge and a fault%n",
                    guided ? "search" : "seeds", result.runs(), result.pairs(), Search.possible());
            Violation violation = result.violation();
            if (violation != null) {
                System.out.println("VIOLATION in run " + result.runs() + ": " + violation);
                Simulation.Outcome shrunk = Shrinker.shrink(Simulation.run(Objects.requireNonNull(result.plan())));
                System.out.println(Shrinker.describe(shrunk, violation.rule()));
                Path page = Path.of("search-" + first + ".html");
                Simulation.writePage(shrunk.plan(), List.of(), page);
                System.out.println("the shortest history as a page: " + page.toAbsolutePath());
                return BROKEN;
            }
        }
        return 0;
    }

    private static int trace(long first, long count, Path file) {
        int status = 0;
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (long seed = first; seed < first + count; seed++) {
                Simulation.Traced traced = Simulation.trace(PlanMaker.of(seed));
                for (String line : traced.lines()) {
                    writer.write(line);
                    writer.newLine();
                }
                Violation violation = traced.outcome().violation();
                if (violation != null) {
                    System.out.println("VIOLATION seed " + seed + ": " + violation);
                    status = BROKEN;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return status;
    }

    private static int run(long from, long count, int threads) {
        Campaign campaign = Campaign.run(from, count, threads);
        System.out.print(campaign.summary());
        if (!campaign.violations().isEmpty()) {
            campaign.violations()
                    .forEach((seed, violation) -> System.out.println("VIOLATION seed " + seed + ": " + violation));
            Map.Entry<Long, Violation> first =
                    campaign.violations().entrySet().iterator().next();
            System.out.println("replay: verification/simulation/run --seed " + first.getKey());
            Simulation.Outcome shrunk = Shrinker.shrink(Simulation.run(PlanMaker.of(first.getKey())));
            System.out.println(Shrinker.describe(shrunk, first.getValue().rule()));
            Path page = Path.of("seed-" + first.getKey() + ".html");
            Simulation.writePage(shrunk.plan(), List.of(), page);
            System.out.println("the shortest history as a page: " + page.toAbsolutePath());
            return BROKEN;
        }
        // A few seeds cannot cover everything.
        List<String> idle = count < USUAL_SEEDS ? List.of() : campaign.idle();
        idle.forEach(System.out::println);
        return idle.isEmpty() ? 0 : IDLE;
    }
}
