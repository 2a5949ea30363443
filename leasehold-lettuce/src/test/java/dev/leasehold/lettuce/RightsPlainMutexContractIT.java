package dev.leasehold.lettuce;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.tck.PlainMutexContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.util.List;
import java.util.stream.Stream;

/** The contract of plain locks, for a user with the documented rights and a pattern for its keys. */
class RightsPlainMutexContractIT extends PlainMutexContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        EmbeddedRedis redis = super.start(settings);
        List<String> rights = Stream.concat(Rights.of("app").stream(), Rights.of("plain").stream())
                .map(right -> right.equals("~import:*") ? "~" + getClass().getSimpleName() + ":*" : right)
                .toList();
        Rights.grant(redis, rights);
        return redis;
    }

    @Override
    protected LeaseholdBuilder builder(String uri) {
        return super.builder(Rights.uri(uri));
    }
}
