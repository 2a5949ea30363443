package dev.leasehold.jedis;

import dev.leasehold.tck.WaitingContract;

/** The contract over Jedis, on a standalone server. */
class JedisWaitingContractIT extends WaitingContract {}
