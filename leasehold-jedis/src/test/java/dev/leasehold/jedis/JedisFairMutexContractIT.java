package dev.leasehold.jedis;

import dev.leasehold.tck.FairMutexContract;

/** The contract over Jedis, on a standalone server. */
class JedisFairMutexContractIT extends FairMutexContract {}
