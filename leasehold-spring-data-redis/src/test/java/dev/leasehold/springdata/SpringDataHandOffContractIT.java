package dev.leasehold.springdata;

import dev.leasehold.tck.HandOffContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataHandOffContractIT extends HandOffContract {}
