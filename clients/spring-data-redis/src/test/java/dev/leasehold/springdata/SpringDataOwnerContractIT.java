package dev.leasehold.springdata;

import dev.leasehold.tck.OwnerContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataOwnerContractIT extends OwnerContract {}
