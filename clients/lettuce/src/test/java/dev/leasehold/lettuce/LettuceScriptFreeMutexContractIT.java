package dev.leasehold.lettuce;

import dev.leasehold.tck.ScriptFreeMutexContract;

/** The contract over Lettuce, of plain locks without scripts. */
class LettuceScriptFreeMutexContractIT extends ScriptFreeMutexContract {}
