package dev.leasehold.architecture.planted.onetimepackage;

import dev.leasehold.architecture.planted.internal.Plays;
import java.time.Clock;
import java.util.Date;

@Plays(module = "leasehold-lettuce")
final class BreaksByClock {
    private final Clock clock = Clock.systemUTC();
    private final Date date = new Date();
}
