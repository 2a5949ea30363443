package dev.leasehold.lettuce;

import dev.leasehold.tck.ReadWriteMutexContract;

/** The contract over Lettuce, on a standalone server, of the write side of read-write locks. */
class LettuceReadWriteMutexContractIT extends ReadWriteMutexContract {}
