package dev.leasehold.springdata;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.LeaseContract;

/** The contract over a factory of Jedis, on a standalone server. */
class LentJedisLeaseContractIT extends LeaseContract {

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().transport(LentFactories.closedWith(LentFactories.jedis(Calls.settings(uri))));
    }
}
