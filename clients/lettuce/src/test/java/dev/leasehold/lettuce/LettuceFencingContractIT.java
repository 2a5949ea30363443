package dev.leasehold.lettuce;

import dev.leasehold.tck.FencingContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceFencingContractIT extends FencingContract {}
