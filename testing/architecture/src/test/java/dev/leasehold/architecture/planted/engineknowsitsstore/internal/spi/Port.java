package dev.leasehold.architecture.planted.engineknowsitsstore.internal.spi;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
public final class Port {}
