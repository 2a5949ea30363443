package dev.leasehold.lettuce;

import dev.leasehold.tck.AsyncContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceAsyncContractIT extends AsyncContract {}
