package dev.leasehold.architecture.planted.onlytoolsprint.cli;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-cli")
final class Abides {
    void say() {
        System.err.println("hello");
    }
}
