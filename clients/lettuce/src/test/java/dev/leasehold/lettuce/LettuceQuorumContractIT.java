package dev.leasehold.lettuce;

import dev.leasehold.tck.QuorumContract;

/** The contract of quorums over Lettuce. */
class LettuceQuorumContractIT extends QuorumContract {}
