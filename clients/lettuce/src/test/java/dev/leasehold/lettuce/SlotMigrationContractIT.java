package dev.leasehold.lettuce;

import dev.leasehold.tck.SlotMigrationContract;

/** The contract over Lettuce. */
class SlotMigrationContractIT extends SlotMigrationContract {}
