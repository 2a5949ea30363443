package dev.leasehold.jedis;

import dev.leasehold.tck.HandOffContract;

/** The contract over Jedis, on a standalone server. */
class JedisHandOffContractIT extends HandOffContract {}
