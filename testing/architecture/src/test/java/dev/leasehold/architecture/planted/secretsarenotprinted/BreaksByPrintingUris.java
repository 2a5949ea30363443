package dev.leasehold.architecture.planted.secretsarenotprinted;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.List;

@Plays(module = "leasehold-lettuce")
public record BreaksByPrintingUris(List<String> uris) {}
