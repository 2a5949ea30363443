package dev.leasehold.architecture.planted.publicclassesarefinal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public class BreaksByBeingOpen {}
