package dev.leasehold.lettuce;

import dev.leasehold.tck.SharedRenewalContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceSharedRenewalContractIT extends SharedRenewalContract {}
