package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.OwnedLock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tries to acquire a lock that find the hold of an earlier try, whose answer was lost. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum enters another hold at each try")
class OwnHoldContract extends ContractBase {

    @Test
    void aNamedOwnerFindsItsOwnHoldOnTheNextTry() throws Exception {
        // hazard 5: acquire executed, reply lost, retried: one hold and not two.
        String name = name();
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(600)));
        OwnedLock lock = leasehold.lock(name).ownedBy("o");
        Fault dropped = proxy.matching(request -> request.contains(key(name))).dropNextReplyThenReset();
        try (Lease lease = lock.acquire(Duration.ofSeconds(10))) {
            assertThat(dropped.count()).isEqualTo(1);
            assertThat(holds(name)).isEqualTo(1);
            lease.ensureHeld();
        }
        isGivenBack(name);
    }

    @Test
    void aHitOnOnesOwnHoldIsValidOnlyForWhatIsLeftOfIt() throws Exception {
        // finding 1: validity counted in full from the retry would outlast the hold.
        String name = name();
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofSeconds(1)));
        // So that it is connected, and knows the clock and the script: the reply that is dropped is that of the grant.
        leasehold.lock(name()).acquire(Duration.ofSeconds(10)).close();
        proxy.matching(request -> request.contains(key(name))).dropNextReply();
        Lease lease = leasehold.lock(name).with(unrenewed(4000)).acquire(Duration.ofSeconds(10));
        long leftMicros = holdEnd(name) - serverMicros();
        assertThat(leftMicros).isLessThan(3_100_000);
        assertThat(lease.remaining()).isLessThan(Duration.ofMillis(3100));
        lease.close();
    }
}
