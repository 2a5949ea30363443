package dev.leasehold.jedis;

import dev.leasehold.tck.PlainLockContract;

/** The contract over Jedis, on a standalone server. */
class JedisPlainLockContractIT extends PlainLockContract {}
