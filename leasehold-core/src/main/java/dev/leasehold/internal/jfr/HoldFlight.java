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

/** A lease, from its grant to its end. Short ones are left out unless the recording asks for them, as the JDK does with its own locks. */
@Name("dev.leasehold.Hold")
@Label("Hold")
@Category("Leasehold")
@Description("A lease, from its grant to its end.")
@StackTrace(false)
@Threshold("20 ms")
final class HoldFlight extends Event implements Span {

    /** Knows whether such events are recorded, so that none has to be made to ask. */
    private static final HoldFlight PROBE = new HoldFlight();

    @Label("Lock")
    @Nullable
    String lock;

    @Label("End")
    @Nullable
    String outcome;

    @Label("Fencing Token")
    long fencingToken;

    @Label("Renewals")
    int renewals;

    static @Nullable Span start() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        HoldFlight begun = new HoldFlight();
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
            renewals = count;
            commit();
        }
    }
}
