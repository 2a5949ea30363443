package dev.leasehold.springdata;

import dev.leasehold.tck.HandOffEndContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataHandOffEndContractIT extends HandOffEndContract {}
