package dev.leasehold.springdata;

import dev.leasehold.tck.CompensationContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataCompensationContractIT extends CompensationContract {}
