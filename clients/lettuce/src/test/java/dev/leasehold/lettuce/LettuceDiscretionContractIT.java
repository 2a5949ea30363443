package dev.leasehold.lettuce;

import dev.leasehold.tck.DiscretionContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceDiscretionContractIT extends DiscretionContract {}
