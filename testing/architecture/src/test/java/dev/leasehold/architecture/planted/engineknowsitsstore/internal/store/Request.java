package dev.leasehold.architecture.planted.engineknowsitsstore.internal.store;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
public final class Request {}
