package dev.leasehold.jedis;

import dev.leasehold.tck.QuorumContract;

/** The contract of quorums over Jedis, which answers on the threads of its callers. */
class JedisQuorumContractIT extends QuorumContract {}
