package dev.leasehold.jedis;

import dev.leasehold.tck.SharedRenewalContract;

/** The contract over Jedis, on a standalone server. */
class JedisSharedRenewalContractIT extends SharedRenewalContract {}
