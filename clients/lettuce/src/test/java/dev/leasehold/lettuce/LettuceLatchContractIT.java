package dev.leasehold.lettuce;

import dev.leasehold.tck.LatchContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceLatchContractIT extends LatchContract {}
