package dev.leasehold.architecture.planted.apihidesinternals;

import dev.leasehold.architecture.planted.apihidesinternals.internal.Secret;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.List;
import java.util.Map;

@Plays(module = "leasehold-lettuce")
public final class BreaksByTypeArgument {
    private Secret kept;

    public List<? extends Map<String, Secret[]>> secrets() {
        return List.of();
    }
}
