package dev.leasehold.lettuce;

import dev.leasehold.tck.ClockContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceClockContractIT extends ClockContract {}
