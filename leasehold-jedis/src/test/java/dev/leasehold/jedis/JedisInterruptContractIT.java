package dev.leasehold.jedis;

import dev.leasehold.tck.InterruptContract;

/** The contract over Jedis, on a standalone server. */
class JedisInterruptContractIT extends InterruptContract {

    @Override
    protected boolean answersOnCallersThread() {
        return true;
    }
}
