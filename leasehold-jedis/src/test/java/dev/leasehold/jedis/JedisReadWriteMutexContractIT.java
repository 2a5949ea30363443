package dev.leasehold.jedis;

import dev.leasehold.tck.ReadWriteMutexContract;

/** The contract over Jedis, on a standalone server. */
class JedisReadWriteMutexContractIT extends ReadWriteMutexContract {}
