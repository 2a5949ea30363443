package dev.leasehold.jedis;

import dev.leasehold.tck.DiscretionContract;

/** The contract over Jedis, on a standalone server. */
class JedisDiscretionContractIT extends DiscretionContract {}
