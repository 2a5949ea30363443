package dev.leasehold.jedis;

import dev.leasehold.tck.LeaseContract;

/** The contract over Jedis, on a standalone server. */
class JedisLeaseContractIT extends LeaseContract {}
