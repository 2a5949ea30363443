package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** A contract that intercepts the calls between the engine and the adapter under test. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it inspects the requests to one server")
public abstract class WiredContract extends LockBase {

    /** For subclasses. */
    protected WiredContract() {}

    /**
     * Opens a transport of the adapter under test; by default of the one that is found by the URI.
     *
     * @param uri the server
     * @return connected
     */
    protected RedisTransport transport(String uri) {
        ConnectionSettings settings = settings(uri);
        String scheme = settings.uri().getScheme();
        return ServiceLoader.load(RedisTransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.supports(scheme))
                .findFirst()
                .orElseThrow()
                .open(settings);
    }

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
