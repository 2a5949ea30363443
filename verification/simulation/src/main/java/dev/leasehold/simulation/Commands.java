package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Violation;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/** The commands of {@code verification/simulation/run}, in the class loader of the observed core. */
public final class Commands implements ToIntFunction<String[]> {

    static final String USAGE = """
            Simulates clients, network and Redis in virtual time, and judges what happened.

              run [--seeds N] [--seed S] [--threads T]

              --seeds N     how many seeds (1000)
              --seed S      the first one (1000001); alone it replays that one seed
              --threads T   how many at a time (2)

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
        try {
            for (int i = 0; i < args.length; i += 2) {
                long value = Long.parseLong(args[i + 1]);
                switch (args[i].toLowerCase(Locale.ROOT)) {
                    case "--seeds" -> count = value;
                    case "--seed" -> {
                        first = value;
                        single = true;
                    }
                    case "--threads" -> threads = Math.toIntExact(value);
                    default -> throw new IllegalArgumentException("unknown option " + args[i]);
                }
            }
        } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
            System.err.println(e.getMessage());
            System.err.print(USAGE);
            return USAGE_ERROR;
        }
        if (count < 0) {
            count = single ? 1 : USUAL_SEEDS;
        }
        return run(first, count, threads);
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
            return BROKEN;
        }
        // A few seeds cannot cover everything.
        List<String> idle = count < USUAL_SEEDS ? List.of() : campaign.idle();
        idle.forEach(System.out::println);
        return idle.isEmpty() ? 0 : IDLE;
    }
}
