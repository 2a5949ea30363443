package dev.leasehold.springdata;

import dev.leasehold.tck.OutageContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataOutageContractIT extends OutageContract {}
