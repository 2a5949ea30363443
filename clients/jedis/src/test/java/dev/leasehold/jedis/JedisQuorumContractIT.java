package dev.leasehold.jedis;

import dev.leasehold.tck.QuorumContract;
import org.junit.jupiter.api.Tag;

/** The contract of quorums over Jedis, which answers on the threads of its callers. */
@Tag("repeated")
class JedisQuorumContractIT extends QuorumContract {}
