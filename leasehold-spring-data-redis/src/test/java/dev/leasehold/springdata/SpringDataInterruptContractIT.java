package dev.leasehold.springdata;

import dev.leasehold.tck.InterruptContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataInterruptContractIT extends InterruptContract {

    @Override
    protected boolean answersOnCallersThread() {
        return true;
    }
}
