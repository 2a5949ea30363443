package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingMutexContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingMutexContractIT extends RetainingMutexContract {}
