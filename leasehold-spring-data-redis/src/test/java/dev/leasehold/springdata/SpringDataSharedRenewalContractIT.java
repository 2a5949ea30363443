package dev.leasehold.springdata;

import dev.leasehold.tck.SharedRenewalContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataSharedRenewalContractIT extends SharedRenewalContract {}
