package dev.leasehold.jedis;

import dev.leasehold.tck.CloseContract;

/** The contract over Jedis, on a standalone server. */
class JedisCloseContractIT extends CloseContract {}
