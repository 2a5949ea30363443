package dev.leasehold.springdata;

import dev.leasehold.tck.ScriptRightsContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataScriptRightsContractIT extends ScriptRightsContract {}
