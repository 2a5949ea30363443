package dev.leasehold.architecture.planted.onetimepackage;

import dev.leasehold.architecture.planted.internal.Plays;
import java.time.Instant;
import java.util.function.Supplier;

@Plays(module = "leasehold-lettuce")
final class BreaksByInstant {
    Supplier<Instant> now() {
        return () -> Instant.now();
    }
}
