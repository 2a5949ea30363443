package dev.leasehold.lettuce;

import dev.leasehold.tck.ReleaseRequestContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceReleaseRequestContractIT extends ReleaseRequestContract {}
