package dev.leasehold.jedis;

import dev.leasehold.tck.ScriptFreeMutexContract;

/** The contract over Jedis, of plain locks without scripts. */
class JedisScriptFreeMutexContractIT extends ScriptFreeMutexContract {}
