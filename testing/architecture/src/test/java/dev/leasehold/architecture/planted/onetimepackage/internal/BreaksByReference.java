package dev.leasehold.architecture.planted.onetimepackage.internal;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.function.LongSupplier;

@Plays(module = "leasehold-core")
final class BreaksByReference {
    private final LongSupplier clock = System::currentTimeMillis;
}
