package dev.leasehold.jedis;

import dev.leasehold.tck.ScriptRightsContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a standalone server. */
@Tag("long")
class JedisScriptRightsContractIT extends ScriptRightsContract {}
