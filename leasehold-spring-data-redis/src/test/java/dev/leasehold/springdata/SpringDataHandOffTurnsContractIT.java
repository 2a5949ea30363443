package dev.leasehold.springdata;

import dev.leasehold.tck.HandOffTurnsContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataHandOffTurnsContractIT extends HandOffTurnsContract {}
