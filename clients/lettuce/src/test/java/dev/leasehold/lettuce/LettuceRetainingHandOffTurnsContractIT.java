package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainingHandOffTurnsContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainingHandOffTurnsContractIT extends RetainingHandOffTurnsContract {}
