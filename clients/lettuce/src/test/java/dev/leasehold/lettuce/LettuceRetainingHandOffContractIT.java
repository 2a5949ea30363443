package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingHandOffContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingHandOffContractIT extends RetainingHandOffContract {}
