package dev.leasehold.lettuce;

import dev.leasehold.tck.CompensationContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceCompensationContractIT extends CompensationContract {}
