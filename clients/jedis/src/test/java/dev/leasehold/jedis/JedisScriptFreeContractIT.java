package dev.leasehold.jedis;

import dev.leasehold.tck.ScriptFreeContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("long")
class JedisScriptFreeContractIT extends ScriptFreeContract {}
