package dev.leasehold.springdata;

import dev.leasehold.tck.RefusalContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataRefusalContractIT extends RefusalContract {}
