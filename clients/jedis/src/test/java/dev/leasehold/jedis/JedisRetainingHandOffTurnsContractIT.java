package dev.leasehold.jedis;

import dev.leasehold.tck.RetainingHandOffTurnsContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("repeated")
class JedisRetainingHandOffTurnsContractIT extends RetainingHandOffTurnsContract {}
