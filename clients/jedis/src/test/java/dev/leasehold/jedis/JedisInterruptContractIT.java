package dev.leasehold.jedis;

import dev.leasehold.tck.InterruptContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("repeated")
class JedisInterruptContractIT extends InterruptContract {

    @Override
    protected boolean answersOnCallersThread() {
        return true;
    }
}
