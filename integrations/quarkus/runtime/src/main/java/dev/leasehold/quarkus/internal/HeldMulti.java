package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.HoldAttempt;
import io.smallrye.mutiny.Context;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.operators.multi.AbstractMultiOperator;
import io.smallrye.mutiny.operators.multi.MultiOperatorProcessor;
import io.smallrye.mutiny.subscription.ContextSupport;
import io.smallrye.mutiny.subscription.MultiSubscriber;
import java.util.HashMap;
import java.util.Map;

/** The result of a method under its lock. Calls in it see the lock in a context of their own, and may join it. */
final class HeldMulti extends AbstractMultiOperator<Object, Object> {

    /** The key of the calls under locks in a context. */
    static final String FRAMES = "dev.leasehold.frames";

    private final HoldAttempt attempt;

    HeldMulti(Multi<Object> upstream, HoldAttempt attempt) {
        super(upstream);
        this.attempt = attempt;
    }

    @Override
    public void subscribe(MultiSubscriber<? super Object> downstream) {
        upstream().subscribe().withSubscriber(new Held(downstream, attempt));
    }

    private static final class Held extends MultiOperatorProcessor<Object, Object> {

        private final HoldAttempt attempt;
        private final Context context;

        Held(MultiSubscriber<? super Object> downstream, HoldAttempt attempt) {
            super(downstream);
            this.attempt = attempt;
            this.context =
                    inner(downstream instanceof ContextSupport support ? support.context() : Context.empty(), attempt);
        }

        /** A copy: results that are subscribed to beside this one share its context, but not its lock. */
        private static Context inner(Context outer, HoldAttempt attempt) {
            Map<String, Object> entries = new HashMap<>();
            outer.keys().forEach(key -> entries.put(key, outer.get(key)));
            entries.put(FRAMES, attempt.frames());
            return Context.from(entries);
        }

        @Override
        public Context context() {
            return context;
        }

        @Override
        public void cancel() {
            super.cancel();
            attempt.endQuietly();
        }
    }
}
