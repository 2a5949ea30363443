package dev.leasehold.simulation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseNotResumableException;
import java.util.concurrent.CompletionStage;

/** Resumes in one process the lease of another one that exported it. */
final class Resume {

    private Resume() {}

    static void begin(Simulation simulation, Client client, Op op, String string, long cancelAfter) {
        if (client.gone()) {
            return;
        }
        Hold hold = Hold.ofExported(simulation, client, op);
        hold.invoked(
                simulation.world.now()
                        + simulation
                                .limits
                                .commandTimeout()
                                .plus(hold.replicaWithin())
                                .toNanos(),
                "");
        CompletionStage<Lease> resuming = client.resume(string, Worker.options(op, hold));
        resuming.whenComplete((lease, failure) -> {
            if (lease != null) {
                simulation.met.count(Met.Deed.RESUMED);
            } else if (Hold.unwrap(failure) instanceof LeaseNotResumableException) {
                simulation.met.count(Met.Deed.RESUMED_IN_VAIN);
            }
            hold.ended(lease, failure);
        });
        if (cancelAfter >= 0) {
            client.machine.schedule(() -> resuming.toCompletableFuture().cancel(false), cancelAfter);
        }
    }
}
