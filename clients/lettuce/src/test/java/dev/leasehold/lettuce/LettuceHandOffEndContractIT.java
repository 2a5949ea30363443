package dev.leasehold.lettuce;

import dev.leasehold.tck.HandOffEndContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceHandOffEndContractIT extends HandOffEndContract {}
