package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingLeaseContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingLeaseContractIT extends RetainingLeaseContract {}
