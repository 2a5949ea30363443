package dev.leasehold.architecture.planted.engineknowsitsstore.internal.lease;

import dev.leasehold.architecture.planted.engineknowsitsstore.internal.script.Binding;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksByScript {
    private Binding binding;
}
