package dev.leasehold.jedis;

import dev.leasehold.tck.MutexContract;

/** The contract over Jedis, on a standalone server. */
class JedisMutexContractIT extends MutexContract {}
