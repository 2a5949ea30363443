package dev.leasehold.tck;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Map;

/** The contract of mutual exclusion on plain locks of clients that send no scripts, on all topologies. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a string cannot hold the fields that a majority needs")
@Except(value = Topology.TLS_AND_ACL, because = "the fault proxy reads what is sent")
class ScriptFreeMutexContract extends PlainMutexContract {

    /** Returns a site of its own where users have few rights: this user has other rights than clients with scripts. */
    @Override
    final Site site() {
        return topology() == Topology.TLS_AND_ACL
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
