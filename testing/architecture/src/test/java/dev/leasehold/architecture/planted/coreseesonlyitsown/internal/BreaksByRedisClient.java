package dev.leasehold.architecture.planted.coreseesonlyitsown.internal;

import dev.leasehold.architecture.planted.internal.Plays;
import io.lettuce.core.RedisClient;

@Plays(module = "leasehold-core")
final class BreaksByRedisClient {
    private RedisClient client;
}
