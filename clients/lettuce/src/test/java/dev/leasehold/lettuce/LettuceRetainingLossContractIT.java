package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingLossContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingLossContractIT extends RetainingLossContract {}
