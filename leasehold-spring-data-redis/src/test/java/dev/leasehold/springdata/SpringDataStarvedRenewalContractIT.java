package dev.leasehold.springdata;

import dev.leasehold.tck.StarvedRenewalContract;
import org.junit.jupiter.api.parallel.Isolated;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Isolated("takes every processor")
class SpringDataStarvedRenewalContractIT extends StarvedRenewalContract {}
