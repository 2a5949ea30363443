package dev.leasehold.jedis;

import dev.leasehold.tck.PrimaryOutageContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis. */
@Tag("long")
class PrimaryOutageContractIT extends PrimaryOutageContract {}
