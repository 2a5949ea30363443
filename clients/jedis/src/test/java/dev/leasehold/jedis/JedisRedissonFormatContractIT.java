package dev.leasehold.jedis;

import dev.leasehold.tck.RedissonFormatContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("repeated")
class JedisRedissonFormatContractIT extends RedissonFormatContract {}
