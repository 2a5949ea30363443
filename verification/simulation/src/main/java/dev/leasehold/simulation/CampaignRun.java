package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A campaign, by types that class loaders share: first seed, the least and the most seeds, and threads in; the summary and
 * what was wrong out.
 */
public final class CampaignRun implements Function<long[], List<String>> {

    @Override
    public List<String> apply(long[] args) {
        Campaign campaign = Campaign.run(args[0], args[1], args[2], (int) args[3]);
        List<String> result = new ArrayList<>();
        result.add(campaign.summary());
        result.addAll(campaign.broken());
        result.addAll(campaign.idle());
        return result;
    }
}
