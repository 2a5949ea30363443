package dev.leasehold.jedis;

import dev.leasehold.tck.LeaderContract;

/** The contract over Jedis, on a standalone server. */
class JedisLeaderContractIT extends LeaderContract {}
