package dev.leasehold.architecture.planted.secretsarenotprinted;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public record Abides(String uri, int quorum) {

    @Override
    public String toString() {
        return "Abides";
    }

    record Plain(String name, int quorum) {}
}
