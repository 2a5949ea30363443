package dev.leasehold.lettuce;

import dev.leasehold.tck.RenewalContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRenewalContractIT extends RenewalContract {}
