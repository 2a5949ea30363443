package dev.leasehold.springdata;

import dev.leasehold.tck.FencingContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataFencingContractIT extends FencingContract {}
