package dev.leasehold.jedis;

import dev.leasehold.tck.ServerContract;

/** The contract over Jedis, on a standalone server. */
class JedisServerContractIT extends ServerContract {}
