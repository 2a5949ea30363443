package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import java.util.function.Consumer;

/** A contract that intercepts the calls between the engine and the adapter under test. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it inspects the requests to one server")
abstract class WiredBase extends LockBase {

    /** Creates a transport to the server that can be intercepted. */
    final Wiretap wire() {
        return new Wiretap(transport(server().uri()));
    }

    /** Creates a client over it, which closes it; closed after the test. */
    final Leasehold client(Wiretap wire, Consumer<LeaseholdBuilder> options) {
        LeaseholdBuilder builder = Leasehold.builder().transport(wire).preflight(Preflight.OFF);
        options.accept(builder);
        return closing(builder.build());
    }
}
