package dev.leasehold.jedis;

import dev.leasehold.tck.SemaphoreMutexContract;

/** The contract over Jedis, on a standalone server. */
class JedisSemaphoreMutexContractIT extends SemaphoreMutexContract {}
