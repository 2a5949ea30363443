package dev.leasehold.lettuce;

import dev.leasehold.tck.WaitingContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceWaitingContractIT extends WaitingContract {}
