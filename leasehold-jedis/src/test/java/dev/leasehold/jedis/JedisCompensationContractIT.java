package dev.leasehold.jedis;

import dev.leasehold.tck.CompensationContract;

/** The contract over Jedis, on a standalone server. */
class JedisCompensationContractIT extends CompensationContract {}
