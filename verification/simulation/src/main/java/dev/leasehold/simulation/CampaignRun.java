package dev.leasehold.simulation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A campaign, by types that class loaders share: first seed, the least and the most seeds, and threads in; the summary and
 * what was wrong out. The histories of seeds that broke a rule are written to the directory "target".
 */
public final class CampaignRun implements Function<long[], List<String>> {

    @Override
    public List<String> apply(long[] args) {
        Campaign campaign = Campaign.run(args[0], args[1], args[2], (int) args[3]);
        List<String> result = new ArrayList<>();
        result.add(campaign.summary());
        result.addAll(campaign.broken());
        for (long seed : campaign.violations().keySet()) {
            Path page = Path.of("target", "seed-" + seed + ".html");
            Simulation.writePage(PlanMaker.of(seed), List.of(), page);
            result.add("its history: " + page.toAbsolutePath());
        }
        result.addAll(campaign.idle());
        return result;
    }
}
