package dev.leasehold.internal.jfr;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** An acquisition, from the call to the grant or the giving up. Short ones are left out unless the recording asks for them, as the JDK does with its own locks. */
@Name("dev.leasehold.Acquire")
@Label("Acquire")
@Category("Leasehold")
@Description("An acquisition, from the call to the grant or the giving up.")
@StackTrace(false)
@Threshold("20 ms")
final class AcquireFlight extends Event implements Span {

    /** Knows whether such events are recorded, so that none has to be made to ask. */
    private static final AcquireFlight PROBE = new AcquireFlight();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Outcome")
    @Nullable
    String outcome;

    @Label("Fencing Token")
    long fencingToken;

    @Label("Tries")
    int tries;

    static @Nullable Span start() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        AcquireFlight begun = new AcquireFlight();
        begun.begin();
        return begun;
    }

    @Override
    public void over(LockKey key, String how, long token, int count) {
        end();
        if (shouldCommit()) {
            lock = Names.escape(key.name());
            outcome = how;
            fencingToken = token;
            tries = count;
            commit();
        }
    }
}
