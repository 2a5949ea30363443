package dev.leasehold.jedis;

import dev.leasehold.tck.OutageContract;

/** The contract over Jedis, on a standalone server. */
class JedisOutageContractIT extends OutageContract {}
