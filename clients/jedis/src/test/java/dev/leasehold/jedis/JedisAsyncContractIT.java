package dev.leasehold.jedis;

import dev.leasehold.tck.AsyncContract;

/** The contract over Jedis, on a standalone server. */
class JedisAsyncContractIT extends AsyncContract {}
