package dev.leasehold.tck;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Map;

/** Plain locks as locks, of clients that send no scripts, wherever their servers are. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a string has no room for what a majority needs")
public abstract class ScriptFreeMutexContract extends PlainMutexContract {

    /** For subclasses. */
    protected ScriptFreeMutexContract() {}

    /** Where users have few rights, not shared: this one has others than those of clients with scripts. */
    @Override
    final Site site() {
        return topology == Topology.TLS_AND_ACL
                ? new TlsSite(EmbeddedRedis.builder().enableDebugCommand(), DocumentedRights.withoutScripts())
                : super.site();
    }

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
