package dev.leasehold.lettuce;

import dev.leasehold.tck.FailoverContract;

/** The contract over Lettuce. */
class SentinelFailoverContractIT extends FailoverContract {}
