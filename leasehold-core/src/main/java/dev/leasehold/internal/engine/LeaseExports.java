package dev.leasehold.internal.engine;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases that go from one process to another. Until it is taken over, an exported lease is held and renewed as any other; but
 * it is not handed on within this process, for who has its string means this lease and none after it.
 */
public final class LeaseExports {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private LeaseExports() {}

    /** What another process needs to take the lease over. Asks nobody. */
    static String export(Engine engine, LeaseRecord record) {
        if (record.key.kind() != LockKind.STANDARD) {
            throw LockMessages.notExportable(record.key);
        }
        boolean unused = LeaseChecks.valid(engine, record);
        boolean before = record.exported;
        // Before its state is read: so a release either sees it, and hands nothing on, or is seen here.
        record.exported = true;
        if (!record.holding()) {
            // Nobody has a string of it: closing it tells of the loss as ever.
            record.exported = before;
            throw LeaseChecks.notHeld(engine, record);
        }
        return ExportedLease.of(record).encode();
    }

    /**
     * Lets an exported lease go without giving its hold back, so that another process can still take it over.
     *
     * @return false if it was not exported, and nothing was done
     */
    static boolean letStand(Engine engine, LeaseRecord record) {
        if (!record.exported) {
            return false;
        }
        if (record.releaseCalled().became(LeaseState.RELEASING)) {
            engine.publishBeforeRelease();
            engine.forget(record);
            record.apply(LeaseEvent.RELEASE_CONFIRMED);
            engine.tellExported(record);
            engine.waitRoom.ended(record);
            LOG.debug(
                    "the hold of lock {} stays until its lease ends, for whoever resumes it: it was exported",
                    record.key);
        }
        return true;
    }

    /** Takes a lease over, on this thread. */
    public static Lease resume(Engine engine, ExportedLease exported, LockOptions options) {
        engine.ensureOpen();
        engine.checkLease(options);
        ResumeOperation resumption = new ResumeOperation(engine, exported, options, Thread.currentThread());
        LeaseRecord record = new BlockingDriver<>(engine, resumption).runUninterruptibly();
        return handle(engine, record, engine.callSites.here());
    }

    /** The same without a waiting thread. */
    public static CompletionStage<Lease> resumeAsync(Engine engine, ExportedLease exported, LockOptions options) {
        engine.checkLease(options);
        if (engine.closed()) {
            return CompletableFuture.failedFuture(Engine.closedException());
        }
        String takenAt = engine.callSites.here();
        ResumeOperation resumption = new ResumeOperation(engine, exported, options, null);
        return CancellablePromise.of(engine, resumption, record -> handle(engine, record, takenAt));
    }

    private static Lease handle(Engine engine, LeaseRecord record, String takenAt) {
        long unused = engine.acquireAfterGrant();
        return LeaseHandle.of(engine, record, takenAt);
    }
}
