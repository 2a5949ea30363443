package dev.leasehold.lettuce;

import dev.leasehold.tck.RetainContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRetainContractIT extends RetainContract {}
