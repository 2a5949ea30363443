package dev.leasehold.tck;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** One fault of a {@link FaultProxy}: its count, and its end. Thread-safe. */
public final class Fault {

    enum Kind {
        DROP_REPLY,
        DROP_REPLY_THEN_RESET,
        DROP_REPLY_THEN_SILENCE,
        HOLD_REPLY,
        HOLD_REQUEST,
        DUPLICATE_REQUEST,
        RECORD_REQUEST,
        RESET_REQUEST
    }

    /** A number of times that is never reached. */
    static final int ALWAYS = Integer.MAX_VALUE;

    private final Kind kind;
    private final Predicate<String> selection;
    private final AtomicInteger left;
    private final AtomicInteger struck = new AtomicInteger();

    Fault(Kind kind, Predicate<String> selection, int times) {
        this.kind = kind;
        this.selection = selection;
        this.left = new AtomicInteger(times);
    }

    /** Returns the number of requests, or replies, to which it was applied so far. */
    public int count() {
        return struck.get();
    }

    /** Ends it: it is not applied any more. Held requests and replies remain held until released. */
    public void cancel() {
        left.set(0);
    }

    Kind kind() {
        return kind;
    }

    boolean isOver() {
        return left.get() == 0;
    }

    /** Returns whether it applies to this request, or to the reply to it, and counts it if so. */
    boolean strikes(Kind asked, String request) {
        if (kind != asked || isOver() || !selection.test(request)) {
            return false;
        }
        if (left.getAndUpdate(n -> n == 0 || n == ALWAYS ? n : n - 1) == 0) {
            return false;
        }
        struck.incrementAndGet();
        return true;
    }
}
