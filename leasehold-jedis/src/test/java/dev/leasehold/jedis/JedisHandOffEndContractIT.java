package dev.leasehold.jedis;

import dev.leasehold.tck.HandOffEndContract;

/** The contract over Jedis, on a standalone server. */
class JedisHandOffEndContractIT extends HandOffEndContract {}
