package dev.leasehold.lettuce;

import dev.leasehold.tck.PrimaryOutageContract;

/** The contract over Lettuce. */
class PrimaryOutageContractIT extends PrimaryOutageContract {}
