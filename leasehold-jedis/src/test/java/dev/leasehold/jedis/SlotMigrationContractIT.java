package dev.leasehold.jedis;

import dev.leasehold.tck.SlotMigrationContract;

/** The contract over Jedis. */
class SlotMigrationContractIT extends SlotMigrationContract {}
