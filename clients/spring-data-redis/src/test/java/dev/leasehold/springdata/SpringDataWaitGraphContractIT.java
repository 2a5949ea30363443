package dev.leasehold.springdata;

import dev.leasehold.tck.WaitGraphContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataWaitGraphContractIT extends WaitGraphContract {}
