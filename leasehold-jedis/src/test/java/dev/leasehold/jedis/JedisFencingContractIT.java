package dev.leasehold.jedis;

import dev.leasehold.tck.FencingContract;

/** The contract over Jedis, on a standalone server. */
class JedisFencingContractIT extends FencingContract {}
