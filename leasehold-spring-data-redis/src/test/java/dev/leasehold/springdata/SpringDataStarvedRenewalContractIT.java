package dev.leasehold.springdata;

import dev.leasehold.tck.StarvedRenewalContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataStarvedRenewalContractIT extends StarvedRenewalContract {}
