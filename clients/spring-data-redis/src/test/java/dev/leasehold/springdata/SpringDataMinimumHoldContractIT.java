package dev.leasehold.springdata;

import dev.leasehold.tck.MinimumHoldContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataMinimumHoldContractIT extends MinimumHoldContract {}
