package dev.leasehold.springdata;

import dev.leasehold.tck.ScriptFreeMutexContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, of plain locks without scripts. */
@Tag("repeated")
class SpringDataScriptFreeMutexContractIT extends ScriptFreeMutexContract {}
