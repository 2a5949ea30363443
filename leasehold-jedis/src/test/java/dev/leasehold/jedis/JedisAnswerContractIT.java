package dev.leasehold.jedis;

import dev.leasehold.tck.AnswerContract;

/** The contract over Jedis, on a standalone server. */
class JedisAnswerContractIT extends AnswerContract {}
