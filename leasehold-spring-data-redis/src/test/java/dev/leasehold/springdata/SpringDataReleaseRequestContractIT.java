package dev.leasehold.springdata;

import dev.leasehold.tck.ReleaseRequestContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataReleaseRequestContractIT extends ReleaseRequestContract {}
