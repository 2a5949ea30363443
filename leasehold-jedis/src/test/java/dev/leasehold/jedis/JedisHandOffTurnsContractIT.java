package dev.leasehold.jedis;

import dev.leasehold.tck.HandOffTurnsContract;

/** The contract over Jedis, on a standalone server. */
class JedisHandOffTurnsContractIT extends HandOffTurnsContract {}
