package dev.leasehold.springdata;

import dev.leasehold.tck.InterruptContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataInterruptContractIT extends InterruptContract {

    @Override
    protected boolean answersOnCallersThread() {
        return true;
    }
}
