package dev.leasehold.springdata;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.CloseContract;

/** The contract over a factory of Jedis, on a standalone server. */
class LentJedisCloseContractIT extends CloseContract {

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().transport(LentFactories.closedWith(LentFactories.jedis(Calls.settings(uri))));
    }
}
