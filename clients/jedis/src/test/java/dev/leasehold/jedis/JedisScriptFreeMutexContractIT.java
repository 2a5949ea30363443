package dev.leasehold.jedis;

import dev.leasehold.tck.ScriptFreeMutexContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, of plain locks without scripts. */
@Tag("repeated")
class JedisScriptFreeMutexContractIT extends ScriptFreeMutexContract {}
