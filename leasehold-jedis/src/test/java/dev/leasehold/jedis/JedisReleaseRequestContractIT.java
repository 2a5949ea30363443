package dev.leasehold.jedis;

import dev.leasehold.tck.ReleaseRequestContract;

/** The contract over Jedis, on a standalone server. */
class JedisReleaseRequestContractIT extends ReleaseRequestContract {}
