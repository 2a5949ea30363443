package dev.leasehold.architecture.planted.engineknowsitsstore.internal.lease;

import dev.leasehold.architecture.planted.engineknowsitsstore.internal.spi.Timer;
import dev.leasehold.architecture.planted.engineknowsitsstore.internal.store.Request;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class Abides {
    private Request request;
    private Timer timer;
}
