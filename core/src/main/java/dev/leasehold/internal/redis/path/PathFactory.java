package dev.leasehold.internal.redis.path;

/** Makes the paths to servers, as suits a connector: one implementation multiplexes, the other one's connections block. */
public interface PathFactory {

    /** Makes a path for the calls that callers wait for. With a blocking connector it blocks its caller. */
    CommandPath calls(ServerRoute route);

    /** Makes a path for renewals and whatever else is sent in batches. It never blocks its caller. */
    CommandPath batches(ServerRoute route);

    /** Makes a path for batches of scripts whose keys Redis tracks. It never blocks its caller. */
    CommandPath tracked(ServerRoute route);

    /** Makes a path on which WAIT may keep the connection busy for a while. It never blocks its caller. */
    CommandPath durable(ServerRoute route);

    /**
     * Makes a path for what people ask, whose long answers hold up no lock.
     *
     * @param calls the path for calls, which this is where each caller has a connection of its own
     */
    CommandPath inspection(ServerRoute route, CommandPath calls);
}
