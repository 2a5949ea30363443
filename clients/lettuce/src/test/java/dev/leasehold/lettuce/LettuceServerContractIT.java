package dev.leasehold.lettuce;

import dev.leasehold.tck.ServerContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceServerContractIT extends ServerContract {}
