package dev.leasehold.jedis;

import dev.leasehold.tck.RefusalContract;

/** The contract over Jedis, on a standalone server. */
class JedisRefusalContractIT extends RefusalContract {}
