package dev.leasehold.lettuce;

import dev.leasehold.tck.RefusalContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRefusalContractIT extends RefusalContract {}
