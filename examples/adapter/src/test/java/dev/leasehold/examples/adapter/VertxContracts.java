package dev.leasehold.examples.adapter;

import dev.leasehold.tck.ContractAdapter;
import dev.leasehold.tck.ContractWay;
import java.util.List;

// example: adapter-contracts
/** How the contracts connect over this adapter; META-INF/services/dev.leasehold.tck.ContractAdapter names it. */
public final class VertxContracts implements ContractAdapter {

    @Override
    public String name() {
        return "Vert.x";
    }

    @Override
    public List<ContractWay> ways() {
        return List.of(ContractWay.byUri("own client", settings -> VertxTransport.create(Loops.VERTX, settings))
                .withConnectors(settings -> new VertxConnector(Loops.VERTX, settings)));
    }
}
// end
