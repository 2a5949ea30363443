package dev.leasehold.lettuce;

import dev.leasehold.tck.OwnerContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceOwnerContractIT extends OwnerContract {}
