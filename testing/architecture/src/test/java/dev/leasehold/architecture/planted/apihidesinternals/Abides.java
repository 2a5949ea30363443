package dev.leasehold.architecture.planted.apihidesinternals;

import dev.leasehold.architecture.planted.apihidesinternals.internal.Secret;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.List;

@Plays(module = "leasehold-lettuce")
public final class Abides {
    private Secret secret;

    Abides(Secret secret) {
        this.secret = secret;
    }

    protected Secret unreachableFromOutside() {
        return secret;
    }

    public List<String> names() {
        return List.of();
    }
}
