package dev.leasehold.architecture.planted.stagesofleases;

import dev.leasehold.Acquirable;
import dev.leasehold.Lease;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

@Plays(module = "leasehold-annotations")
final class Abides {
    CompletionStage<Lease> begin(Acquirable<Lease> lock) {
        return lock.acquireAsync();
    }

    CompletionStage<Lease> refuse(RuntimeException refusal) {
        return CompletableFuture.failedFuture(refusal);
    }

    CompletionStage<Boolean> extend(CompletionStage<Long> left) {
        return left.thenApply(nanos -> nanos > 0);
    }
}
