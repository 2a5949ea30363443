package dev.leasehold.springdata;

import dev.leasehold.tck.AsyncContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataAsyncContractIT extends AsyncContract {}
