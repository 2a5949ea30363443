package dev.leasehold.architecture.planted.siblingsarestrangers.jedis;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.lettuce.LettuceThing;

@Plays(module = "leasehold-jedis")
final class BreaksBySibling {
    private LettuceThing sibling;
}
