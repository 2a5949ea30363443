package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import java.util.List;

/** A connection for exclusive use, by one thread at a time. */
interface Wire {

    /** Returns whether it is still usable, without a request. */
    boolean isOpen();

    /**
     * Sends all in one flush and waits for the answers, uninterruptibly; an interrupt is kept. What is not answered in time
     * fails as perhaps executed, and the connection is closed then, as whenever it breaks.
     *
     * @param nanos for how long to wait
     * @return what came of each, in their order
     */
    List<Answer> exchange(List<Request> requests, long nanos);

    /**
     * The same connection's way to one node of a cluster.
     *
     * @throws IllegalArgumentException if it has no other
     */
    Wire to(RedisNode node, long nanos);

    /** Idempotent. */
    void close();
}
