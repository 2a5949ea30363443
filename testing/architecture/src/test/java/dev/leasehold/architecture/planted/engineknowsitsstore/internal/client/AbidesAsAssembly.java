package dev.leasehold.architecture.planted.engineknowsitsstore.internal.client;

import dev.leasehold.architecture.planted.engineknowsitsstore.internal.script.Binding;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class AbidesAsAssembly {
    private Binding binding;
}
