package dev.leasehold.springdata;

import dev.leasehold.tck.MultiLockContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataMultiLockContractIT extends MultiLockContract {}
