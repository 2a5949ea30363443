package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The servers that contracts of this JVM have in turn: starting a cluster takes longer than most contracts do in it. They
 * end with the JVM, whatever becomes of it: the testkit sees to that.
 */
final class Sites {

    private static final Map<Topology, Deque<Site>> IDLE = new ConcurrentHashMap<>();
    private static final Map<Site, Topology> LENT = new ConcurrentHashMap<>();

    private Sites() {}

    /** Servers that run and are empty, for the caller alone until they are taken back. */
    static Site lend(Topology topology) {
        Site idle = idle(topology).poll();
        Site site = idle == null ? topology.start(EmbeddedRedis.builder().enableDebugCommand()) : idle;
        LENT.put(site, topology);
        return site;
    }

    /** Servers whose contract is over: those that were lent are kept for the next one, others end. */
    static void takeBack(Site site) {
        Topology topology = LENT.remove(site);
        if (topology == null) {
            site.close();
            return;
        }
        boolean renewed = false;
        try {
            site.renew();
            renewed = idle(topology).offerFirst(site);
        } finally {
            if (!renewed) {
                site.close();
            }
        }
    }

    private static Deque<Site> idle(Topology topology) {
        return IDLE.computeIfAbsent(topology, none -> new ConcurrentLinkedDeque<>());
    }
}
