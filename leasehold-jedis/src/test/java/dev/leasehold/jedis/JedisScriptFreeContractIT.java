package dev.leasehold.jedis;

import dev.leasehold.tck.ScriptFreeContract;

/** The contract over Jedis, on a standalone server. */
class JedisScriptFreeContractIT extends ScriptFreeContract {}
