package dev.leasehold.architecture.planted.engineknowsitsstore.internal.lease;

import dev.leasehold.architecture.planted.engineknowsitsstore.internal.spi.Port;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksByPort {
    private Port port;
}
