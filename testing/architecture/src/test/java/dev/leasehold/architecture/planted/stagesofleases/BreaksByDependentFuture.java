package dev.leasehold.architecture.planted.stagesofleases;

import dev.leasehold.MultiLease;
import dev.leasehold.architecture.planted.internal.Plays;
import java.util.concurrent.CompletableFuture;

@Plays(module = "leasehold-annotations")
final class BreaksByDependentFuture {
    CompletableFuture<? extends MultiLease> handle(CompletableFuture<MultiLease> future) {
        return future.copy();
    }
}
