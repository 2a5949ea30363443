package dev.leasehold.architecture.planted.coreseesonlyitsown.internal;

import dev.leasehold.architecture.planted.internal.Plays;
import io.netty.util.HashedWheelTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Plays(module = "leasehold-core")
final class Abides {
    private final HashedWheelTimer[] timers = new HashedWheelTimer[0];
    private final Logger log = LoggerFactory.getLogger(Abides.class);
}
