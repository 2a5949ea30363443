package dev.leasehold.springdata;

import dev.leasehold.tck.ServerContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataServerContractIT extends ServerContract {}
