package dev.leasehold.internal.jfr;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * An event that lasts. Short ones are left out unless the recording asks for them, as the JDK does with its own locks. Its
 * annotations hold for all kinds.
 */
@Category("Leasehold")
@StackTrace(false)
@Threshold("20 ms")
abstract class SpanFlight extends Event implements Span {

    @Label("Lock")
    @Nullable
    String lock;

    @Label("Outcome")
    @Nullable
    String outcome;

    @Label("Fencing Token")
    long fencingToken;

    abstract void count(int many);

    final Span begun() {
        begin();
        return this;
    }

    @Override
    public final void over(LockKey key, String how, long token, int many) {
        end();
        if (shouldCommit()) {
            lock = Names.escape(key.name());
            outcome = how;
            fencingToken = token;
            count(many);
            commit();
        }
    }
}
