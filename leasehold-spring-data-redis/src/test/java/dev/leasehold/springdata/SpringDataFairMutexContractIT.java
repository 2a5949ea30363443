package dev.leasehold.springdata;

import dev.leasehold.tck.FairMutexContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataFairMutexContractIT extends FairMutexContract {}
