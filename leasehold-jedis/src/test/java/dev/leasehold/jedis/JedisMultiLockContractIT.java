package dev.leasehold.jedis;

import dev.leasehold.tck.MultiLockContract;

/** The contract over Jedis, on a standalone server. */
class JedisMultiLockContractIT extends MultiLockContract {}
