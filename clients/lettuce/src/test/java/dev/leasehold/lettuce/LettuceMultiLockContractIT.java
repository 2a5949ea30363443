package dev.leasehold.lettuce;

import dev.leasehold.tck.MultiLockContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceMultiLockContractIT extends MultiLockContract {}
