package dev.leasehold.jedis;

import dev.leasehold.tck.SlotMigrationContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis. */
@Tag("long")
class SlotMigrationContractIT extends SlotMigrationContract {}
