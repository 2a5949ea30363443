package dev.leasehold.springdata;

import dev.leasehold.tck.OwnerContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataOwnerContractIT extends OwnerContract {}
