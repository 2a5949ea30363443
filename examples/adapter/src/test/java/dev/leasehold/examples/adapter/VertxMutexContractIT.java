package dev.leasehold.examples.adapter;

import dev.leasehold.tck.MutexContract;

/** On every topology. */
class VertxMutexContractIT extends MutexContract {}
