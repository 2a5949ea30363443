package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.spi.ScriptCall;

/** The next step of an operation, which a driver executes. */
public sealed interface Step {

    /**
     * Sends a call and reports the answer, or its absence after the timeout.
     *
     * @param doubt whether a timeout puts the connection in doubt
     * @param durability the replicas or disks that must acknowledge a grant
     */
    record Send(ScriptCall call, long sentAt, boolean doubt, Durability durability) implements Step {

        /** Creates a step that needs no acknowledgement of replicas. */
        public Send(ScriptCall call, long sentAt, boolean doubt) {
            this(call, sentAt, doubt, Durability.none());
        }
    }

    /** Waits until this moment, or until a wake-up, and then asks for the next step. */
    record Pause(long until) implements Step {}

    /** Nothing: the operation has ended. */
    record Over() implements Step {}
}
