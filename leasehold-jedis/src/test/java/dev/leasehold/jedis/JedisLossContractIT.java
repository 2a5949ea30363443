package dev.leasehold.jedis;

import dev.leasehold.tck.LossContract;

/** The contract over Jedis, on a standalone server. */
class JedisLossContractIT extends LossContract {}
