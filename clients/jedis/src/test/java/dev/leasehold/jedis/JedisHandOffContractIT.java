package dev.leasehold.jedis;

import dev.leasehold.tck.HandOffContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("repeated")
class JedisHandOffContractIT extends HandOffContract {}
