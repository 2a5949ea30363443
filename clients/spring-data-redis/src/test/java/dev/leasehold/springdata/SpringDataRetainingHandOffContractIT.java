package dev.leasehold.springdata;

import dev.leasehold.tck.RetainingHandOffContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataRetainingHandOffContractIT extends RetainingHandOffContract {}
