package dev.leasehold.springdata;

import dev.leasehold.tck.ContractAdapter;
import dev.leasehold.tck.ContractWay;
import dev.leasehold.tck.Topology;
import java.util.List;

/** Spring Data Redis, over connection factories of both clients. URIs lead to those of Lettuce, see {@link LentByUri}. */
public final class SpringDataContracts implements ContractAdapter {

    @Override
    public String name() {
        return "Spring Data Redis";
    }

    @Override
    public List<ContractWay> ways() {
        return List.of(
                ContractWay.byUri("factory of Lettuce", LentFactories::connected)
                        .answeringOnCallersThread()
                        // The factories of these tests have no certificates and passwords for Sentinels, and no URI of
                        // Leasehold's.
                        .without("ClusterUriContract", "GuardedSentinelContract"),
                ContractWay.byLentClient(
                                "factory of Jedis",
                                Topology.STANDALONE,
                                settings -> LentFactories.closedWith(LentFactories.jedis(settings)))
                        .answeringOnCallersThread()
                        .knowingItsUser());
    }
}
