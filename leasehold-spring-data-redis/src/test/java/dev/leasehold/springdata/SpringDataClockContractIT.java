package dev.leasehold.springdata;

import dev.leasehold.tck.ClockContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataClockContractIT extends ClockContract {}
