package dev.leasehold.lettuce;

import dev.leasehold.tck.LeaderContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceLeaderContractIT extends LeaderContract {}
