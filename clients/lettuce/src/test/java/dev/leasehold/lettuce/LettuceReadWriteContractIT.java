package dev.leasehold.lettuce;

import dev.leasehold.tck.ReadWriteContract;

/** The contract over Lettuce, on a standalone server, of read-write locks. */
class LettuceReadWriteContractIT extends ReadWriteContract {}
