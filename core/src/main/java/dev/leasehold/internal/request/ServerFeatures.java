package dev.leasehold.internal.request;

import dev.leasehold.spi.ServerDescription.Capability;
import java.util.Set;

/**
 * What the transport and its server can do. A client that started without Redis learns it later; until then nothing is taken for
 * possible, so that whatever is sent needs no feature. Safe for use by any thread.
 */
public final class ServerFeatures {

    private volatile Known known;

    private record Known(boolean reached, String version, Set<Capability> capabilities) {}

    private ServerFeatures(Known known) {
        this.known = known;
    }

    /**
     * Returns the features of a server.
     *
     * @param version for messages; empty if it is not known
     */
    public static ServerFeatures of(String version, Set<Capability> capabilities) {
        return new ServerFeatures(new Known(true, version, Set.copyOf(capabilities)));
    }

    /** Returns features that are not known yet. */
    public static ServerFeatures unknown() {
        return new ServerFeatures(new Known(false, "", Set.of()));
    }

    /** Takes over the features of the server that was reached. */
    public void learn(ServerFeatures server) {
        known = server.known;
    }

    /** Returns whether a server has been reached. */
    public boolean areKnown() {
        return known.reached;
    }

    /** Returns whether the transport and the server can do this. */
    public boolean include(Capability capability) {
        return known.capabilities.contains(capability);
    }

    /** Returns whether the transport and the server can do all of this. */
    public boolean includeAll(Set<Capability> capabilities) {
        return known.capabilities.containsAll(capabilities);
    }

    /** The version of the server, for messages; empty if it is not known. */
    public String version() {
        return known.version;
    }
}
