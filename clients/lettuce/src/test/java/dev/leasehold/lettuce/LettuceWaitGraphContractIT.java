package dev.leasehold.lettuce;

import dev.leasehold.tck.WaitGraphContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceWaitGraphContractIT extends WaitGraphContract {}
