package dev.leasehold.examples.adapter;

import dev.leasehold.tck.MutexContract;
import org.junit.jupiter.api.Tag;

/** On every topology. */
@Tag("long")
class VertxMutexContractIT extends MutexContract {}
