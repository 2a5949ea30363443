package dev.leasehold.lettuce;

import dev.leasehold.tck.LeaseContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceLeaseContractIT extends LeaseContract {}
