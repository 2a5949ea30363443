package dev.leasehold.architecture.planted.engineknowsitsstore.internal.renew;

import dev.leasehold.architecture.planted.engineknowsitsstore.internal.redis.server.Link;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksByConnection {
    private Link[] links;
}
