package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingFencingContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingFencingContractIT extends RetainingFencingContract {}
