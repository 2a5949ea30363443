package dev.leasehold.lettuce;

import dev.leasehold.tck.HandOffContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceHandOffContractIT extends HandOffContract {}
