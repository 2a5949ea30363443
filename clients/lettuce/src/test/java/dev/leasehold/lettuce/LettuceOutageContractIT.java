package dev.leasehold.lettuce;

import dev.leasehold.tck.OutageContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceOutageContractIT extends OutageContract {}
