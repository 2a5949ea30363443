package dev.leasehold.jedis;

import dev.leasehold.tck.StarvedRenewalContract;

/** The contract over Jedis, on a standalone server. */
class JedisStarvedRenewalContractIT extends StarvedRenewalContract {}
