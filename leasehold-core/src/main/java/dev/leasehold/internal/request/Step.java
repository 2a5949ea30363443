package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.spi.ScriptCall;

/** What an operation wants next; a driver does it. */
public sealed interface Step {

    /**
     * Send this and report the answer, or that there was none in time.
     *
     * @param doubt whether silence until the time-out puts the connection in doubt
     * @param durability how many replicas must have what is granted by it
     */
    record Send(ScriptCall call, long sentAt, boolean doubt, Durability durability) implements Step {

        /** Whatever replicas have. */
        public Send(ScriptCall call, long sentAt, boolean doubt) {
            this(call, sentAt, doubt, Durability.none());
        }
    }

    /** Ask again at this moment. */
    record Pause(long until) implements Step {}

    /** It has ended. */
    record Over() implements Step {}
}
