package dev.leasehold.lettuce;

import dev.leasehold.tck.CloseContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceCloseContractIT extends CloseContract {}
