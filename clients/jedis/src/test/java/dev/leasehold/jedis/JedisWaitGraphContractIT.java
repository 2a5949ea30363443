package dev.leasehold.jedis;

import dev.leasehold.tck.WaitGraphContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("repeated")
class JedisWaitGraphContractIT extends WaitGraphContract {}
