package dev.leasehold.jedis;

import dev.leasehold.tck.ClockContract;

/** The contract over Jedis, on a standalone server. */
class JedisClockContractIT extends ClockContract {}
