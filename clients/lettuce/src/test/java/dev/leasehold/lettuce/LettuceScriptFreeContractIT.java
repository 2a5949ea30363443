package dev.leasehold.lettuce;

import dev.leasehold.tck.ScriptFreeContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceScriptFreeContractIT extends ScriptFreeContract {}
