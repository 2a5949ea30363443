package dev.leasehold.internal.engine;

import dev.leasehold.spi.ScriptCall;

/** What an operation wants next; a driver does it. */
sealed interface Step {

    /**
     * Send this and report the answer, or that there was none in time.
     *
     * @param doubt whether silence until the time-out puts the connection in doubt
     */
    record Send(ScriptCall call, long sentAt, boolean doubt) implements Step {}

    /** Ask again at this moment. */
    record Pause(long until) implements Step {}

    /** It has ended. */
    record Over() implements Step {}
}
