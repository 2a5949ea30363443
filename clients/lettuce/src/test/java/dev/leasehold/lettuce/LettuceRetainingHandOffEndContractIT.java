package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingHandOffEndContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingHandOffEndContractIT extends RetainingHandOffEndContract {}
