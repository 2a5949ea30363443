package dev.leasehold.jedis;

import dev.leasehold.tck.RenewalContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("long")
class JedisRenewalContractIT extends RenewalContract {}
