package dev.leasehold.jedis;

import dev.leasehold.tck.WaitingContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("long")
class JedisWaitingContractIT extends WaitingContract {}
