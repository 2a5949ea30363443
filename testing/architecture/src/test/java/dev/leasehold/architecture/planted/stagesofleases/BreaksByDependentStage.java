package dev.leasehold.architecture.planted.stagesofleases;

import dev.leasehold.Lease;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

@Plays(module = "leasehold-annotations")
final class BreaksByDependentStage {
    CompletionStage<Optional<Lease>> handle(CompletionStage<String> stage, Function<String, Optional<Lease>> handle) {
        return stage.thenApply(handle);
    }
}
