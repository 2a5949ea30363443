package dev.leasehold.architecture.planted.onepackageonemodule;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-jedis")
final class BreaksInAnother {}
