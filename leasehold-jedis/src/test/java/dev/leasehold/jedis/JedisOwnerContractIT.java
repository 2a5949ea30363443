package dev.leasehold.jedis;

import dev.leasehold.tck.OwnerContract;

/** The contract over Jedis, on a standalone server. */
class JedisOwnerContractIT extends OwnerContract {}
