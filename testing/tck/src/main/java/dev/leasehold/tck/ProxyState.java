package dev.leasehold.tck;

import java.util.ArrayList;
import java.util.List;

/** The state that all connections of one proxy share. */
final class ProxyState {

    private final FaultPlan plan = new FaultPlan();
    private final ProxyCounters counters = new ProxyCounters();
    private final List<Recorded> recorded = new ArrayList<>();

    /** The requests that had made a connection usable, and last the one to repeat. */
    record Recorded(List<byte[]> requests) {}

    /** On the proxy's thread only. */
    FaultPlan plan() {
        return plan;
    }

    /** On any thread. */
    ProxyCounters counters() {
        return counters;
    }

    /** On the proxy's thread only. */
    void record(List<byte[]> login, byte[] request) {
        List<byte[]> requests = new ArrayList<>(login);
        requests.add(request);
        recorded.add(new Recorded(List.copyOf(requests)));
    }

    /** On the proxy's thread only. */
    List<Recorded> recorded() {
        return List.copyOf(recorded);
    }

    /** On the proxy's thread only. */
    void forgetRecorded() {
        recorded.clear();
    }
}
