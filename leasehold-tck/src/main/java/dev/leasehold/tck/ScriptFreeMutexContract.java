package dev.leasehold.tck;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Scripts;
import java.util.Map;

/** Plain locks as locks, of clients that send no scripts, wherever their servers are. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a string has no room for what a majority needs")
@Except(value = Topology.TLS_AND_ACL, because = "its user has the rights of clients with scripts, which need others")
public abstract class ScriptFreeMutexContract extends PlainMutexContract {

    /** For subclasses. */
    protected ScriptFreeMutexContract() {}

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return super.builder(uri).scripts(Scripts.NONE);
    }

    @Override
    final Map<String, Long> requestsOfALock() {
        return Map.of("MULTI", 2L, "EXEC", 2L, "WATCH", 1L, "TIME", 1L, "GET", 1L, "PTTL", 2L, "SET", 1L, "TYPE", 1L);
    }

    @Override
    final Map<String, Long> requestsOfAnUnlock() {
        return Map.of("MULTI", 2L, "EXEC", 2L, "WATCH", 1L, "TIME", 1L, "GET", 1L, "PTTL", 1L, "TYPE", 1L, "DEL", 1L);
    }
}
