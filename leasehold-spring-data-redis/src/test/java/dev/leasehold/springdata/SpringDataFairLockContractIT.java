package dev.leasehold.springdata;

import dev.leasehold.tck.FairLockContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataFairLockContractIT extends FairLockContract {}
