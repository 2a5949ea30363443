package dev.leasehold.lettuce;

import dev.leasehold.tck.HandOffTurnsContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceHandOffTurnsContractIT extends HandOffTurnsContract {}
