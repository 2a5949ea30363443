package dev.leasehold.jedis;

import dev.leasehold.tck.LatchContract;

/** The contract over Jedis, on a standalone server. */
class JedisLatchContractIT extends LatchContract {}
