package dev.leasehold.jedis;

import dev.leasehold.tck.OutageContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("long")
class JedisOutageContractIT extends OutageContract {}
