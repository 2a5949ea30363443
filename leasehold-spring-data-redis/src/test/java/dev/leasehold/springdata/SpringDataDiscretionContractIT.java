package dev.leasehold.springdata;

import dev.leasehold.tck.DiscretionContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataDiscretionContractIT extends DiscretionContract {}
