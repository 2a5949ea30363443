package dev.leasehold.springdata;

import dev.leasehold.tck.LossContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataLossContractIT extends LossContract {}
