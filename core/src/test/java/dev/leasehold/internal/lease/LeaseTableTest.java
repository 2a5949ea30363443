package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.AcquisitionId;
import org.junit.jupiter.api.Test;

/** Which leases are found by keys that Redis tracks. */
class LeaseTableTest {

    private static final AcquisitionId ID = new AcquisitionId("acquisition-1");

    private final LeaseRecord record = new LeaseRecord(EngineRig.KEY, ID, null, EngineRig.OPTIONS, null, false);
    private final LeaseTable table = new LeaseTable(() -> ID, forgotten -> {});

    /** As one that uses a retained hold, and is checked meanwhile. */
    @Test
    void aLeaseThatWasCheckedBeforeItWasInTheTableIsTrackedOnceItIs() {
        table.track(record);
        assertThat(table.trackedKeys()).isEmpty();
        table.add(record);
        assertThat(record.plan().tracked()).isFalse();
        table.track(record);
        assertThat(table.trackedAt(EngineRig.KEY.key())).containsExactly(record);
    }

    @Test
    void aLeaseThatIsForgottenIsNoLongerFound() {
        table.add(record);
        table.track(record);
        table.forget(record);
        assertThat(table.trackedKeys()).isEmpty();
    }
}
