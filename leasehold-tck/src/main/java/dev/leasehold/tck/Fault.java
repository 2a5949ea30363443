package dev.leasehold.tck;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** One fault that a {@link FaultProxy} was told to make: how often it has struck, and the end of it. Thread-safe. */
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

    /** How often it has struck so far: the number of requests, or replies, that it was applied to. */
    public int count() {
        return struck.get();
    }

    /** Ends it: it does not strike any more. What it holds back stays so until released. */
    public void cancel() {
        left.set(0);
    }

    Kind kind() {
        return kind;
    }

    boolean isOver() {
        return left.get() == 0;
    }

    /** Whether it applies to this request, or to the reply to it; then it has struck. */
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
