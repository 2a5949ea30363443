package dev.leasehold.jedis;

import dev.leasehold.tck.PlainMutexContract;

/** The contract over Jedis, on a standalone server. */
class JedisPlainMutexContractIT extends PlainMutexContract {}
