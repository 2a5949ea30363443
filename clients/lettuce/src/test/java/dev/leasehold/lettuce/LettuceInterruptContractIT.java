package dev.leasehold.lettuce;

import dev.leasehold.tck.InterruptContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceInterruptContractIT extends InterruptContract {}
