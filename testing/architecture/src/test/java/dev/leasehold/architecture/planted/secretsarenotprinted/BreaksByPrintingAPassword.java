package dev.leasehold.architecture.planted.secretsarenotprinted;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public record BreaksByPrintingAPassword(String user, String adminPassword) {}
