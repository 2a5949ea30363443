package dev.leasehold.springdata;

import dev.leasehold.tck.DurabilityContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a primary with two replicas. */
@Tag("repeated")
class SpringDataDurabilityContractIT extends DurabilityContract {}
