package dev.leasehold.jedis;

import dev.leasehold.tck.StarvedRenewalContract;
import org.junit.jupiter.api.parallel.Isolated;

/** The contract over Jedis, on a standalone server. */
@Isolated("takes every processor")
class JedisStarvedRenewalContractIT extends StarvedRenewalContract {}
