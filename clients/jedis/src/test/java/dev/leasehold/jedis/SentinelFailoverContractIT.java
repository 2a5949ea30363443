package dev.leasehold.jedis;

import dev.leasehold.tck.FailoverContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis. */
@Tag("long")
class SentinelFailoverContractIT extends FailoverContract {}
