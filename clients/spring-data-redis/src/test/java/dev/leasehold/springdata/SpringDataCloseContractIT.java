package dev.leasehold.springdata;

import dev.leasehold.tck.CloseContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataCloseContractIT extends CloseContract {}
