package dev.leasehold.springdata;

import dev.leasehold.tck.HandOffTurnsContract;
import org.junit.jupiter.api.Tag;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
@Tag("repeated")
class SpringDataHandOffTurnsContractIT extends HandOffTurnsContract {}
