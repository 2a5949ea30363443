package dev.leasehold.jedis;

import dev.leasehold.tck.FairLockContract;

/** The contract over Jedis, on a standalone server. */
class JedisFairLockContractIT extends FairLockContract {}
