package dev.leasehold.jedis;

import dev.leasehold.tck.SemaphoreContract;

/** The contract over Jedis, on a standalone server. */
class JedisSemaphoreContractIT extends SemaphoreContract {}
