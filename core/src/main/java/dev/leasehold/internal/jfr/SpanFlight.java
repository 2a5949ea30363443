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
 * An event with a duration. Short ones are omitted unless the recording's settings include them, like the JDK's own
 * lock events. The annotations apply to all subclasses.
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
