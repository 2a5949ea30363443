package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.interop.Formats;
import java.util.Objects;

/** The contract of mutual exclusion on plain locks. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a string cannot hold the fields that a majority needs")
class PlainMutexContract extends MutexContract {

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.lock(name, Formats.plain());
    }

    @Override
    protected final String keyOf(String name) {
        return name;
    }

    @Override
    protected final boolean isHeldInRedis(String name) {
        return Objects.equals(server(name).command("EXISTS", name), 1L);
    }
}
