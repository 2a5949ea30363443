package dev.leasehold.lettuce;

import dev.leasehold.tck.MinimumHoldContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceMinimumHoldContractIT extends MinimumHoldContract {}
