package dev.leasehold.lettuce;

import dev.leasehold.tck.ScriptRightsContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceScriptRightsContractIT extends ScriptRightsContract {}
