package dev.leasehold.architecture.planted.engineknowsitsstore.internal.redis.server;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
public final class Link {}
