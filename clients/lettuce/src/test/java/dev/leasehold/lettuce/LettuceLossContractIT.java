package dev.leasehold.lettuce;

import dev.leasehold.tck.LossContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceLossContractIT extends LossContract {}
