package dev.leasehold.lettuce;

import dev.leasehold.tck.RedissonFormatContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceRedissonFormatContractIT extends RedissonFormatContract {}
