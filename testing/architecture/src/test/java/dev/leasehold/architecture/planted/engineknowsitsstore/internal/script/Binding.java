package dev.leasehold.architecture.planted.engineknowsitsstore.internal.script;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
public final class Binding {}
