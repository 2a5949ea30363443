package dev.leasehold.springdata;

import dev.leasehold.tck.RenewalContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataRenewalContractIT extends RenewalContract {}
