package dev.leasehold.springdata;

import dev.leasehold.tck.RefusalContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataRefusalContractIT extends RefusalContract {}
