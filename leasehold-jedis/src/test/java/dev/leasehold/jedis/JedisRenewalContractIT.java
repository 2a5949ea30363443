package dev.leasehold.jedis;

import dev.leasehold.tck.RenewalContract;

/** The contract over Jedis, on a standalone server. */
class JedisRenewalContractIT extends RenewalContract {}
