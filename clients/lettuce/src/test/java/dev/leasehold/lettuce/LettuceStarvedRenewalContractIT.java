package dev.leasehold.lettuce;

import dev.leasehold.tck.StarvedRenewalContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceStarvedRenewalContractIT extends StarvedRenewalContract {}
