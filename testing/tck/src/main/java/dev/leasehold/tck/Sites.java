package dev.leasehold.tck;

import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The servers that contracts of this JVM use in turn: starting a cluster takes longer than most contracts run on
 * it. They end with the JVM, however it ends: the testkit ensures that.
 */
final class Sites {

    private static final Map<Topology, Deque<Site>> IDLE = new ConcurrentHashMap<>();
    private static final Map<Site, Topology> LENT = new ConcurrentHashMap<>();

    private Sites() {}

    /** Returns servers that run and are empty, for the caller's exclusive use until they are returned. */
    static Site lend(Topology topology) {
        Site idle = idle(topology).poll();
        Site site = idle == null ? topology.start(Site.settings().enableDebugCommand()) : idle;
        LENT.put(site, topology);
        return site;
    }

    /** Takes servers back after their contract: lent servers are kept for the next one, others end. */
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
