package dev.leasehold.jedis;

import dev.leasehold.tck.ReadWriteContract;

/** The contract over Jedis, on a standalone server. */
class JedisReadWriteContractIT extends ReadWriteContract {}
