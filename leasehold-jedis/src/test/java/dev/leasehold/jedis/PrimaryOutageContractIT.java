package dev.leasehold.jedis;

import dev.leasehold.tck.PrimaryOutageContract;

/** The contract over Jedis. */
class PrimaryOutageContractIT extends PrimaryOutageContract {}
