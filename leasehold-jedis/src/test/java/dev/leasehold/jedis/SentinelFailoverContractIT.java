package dev.leasehold.jedis;

import dev.leasehold.tck.FailoverContract;

/** The contract over Jedis. */
class SentinelFailoverContractIT extends FailoverContract {}
