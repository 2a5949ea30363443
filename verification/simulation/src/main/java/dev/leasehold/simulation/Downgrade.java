package dev.leasehold.simulation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.What;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A writer becomes a reader: its lease ends with the call, and the hold in Redis is that of another lease, the
 * reader's.
 */
final class Downgrade {

    /** The note of the release of a writer: its hold stays. */
    static final String NOTE = "downgraded";

    private final Met met;
    private final Hold writer;
    private final Hold reader;

    private Downgrade(Met met, Hold writer, Hold reader) {
        this.met = met;
        this.writer = writer;
        this.reader = reader;
    }

    /** Begins to make the lease of a writer that of a reader. */
    static void begin(Simulation simulation, Hold writer, Hold reader, Lease lease, long cancelAfter) {
        simulation.truth.downgrades(Engine.holdOf(lease).value(), reader.number);
        reader.invoked(
                simulation.world.now() + simulation.limits.commandTimeout().toNanos(), "");
        writer.report(What.RELEASE_INVOKED, 0, 0, Entry.DOWNGRADE);
        simulation.forget(writer);
        CompletionStage<Lease> stage = writer.client.downgrade(writer.lock, lease);
        stage.whenComplete((granted, failure) -> new Downgrade(simulation.met, writer, reader).ended(granted, failure));
        if (cancelAfter >= 0) {
            writer.client.machine.schedule(() -> stage.toCompletableFuture().cancel(false), cancelAfter);
        }
    }

    private void ended(@Nullable Lease granted, @Nullable Throwable failure) {
        if (Hold.unwrap(failure) instanceof LeaseLostException lost) {
            writer.report(What.RELEASE_LOST, 0, 0, lost.lossCause().name());
        } else {
            writer.report(What.RELEASED, 0, 0, NOTE);
        }
        if (granted != null) {
            met.count(Met.Deed.DOWNGRADED);
        }
        reader.ended(granted, failure);
    }
}
