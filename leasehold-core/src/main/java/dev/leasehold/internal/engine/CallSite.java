package dev.leasehold.internal.engine;

import org.jspecify.annotations.Nullable;

/** Where a lease was taken: the first frame outside Leasehold, resolved to a line only when it is told. */
record CallSite(StackWalker.@Nullable StackFrame frame) {

    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = "dev.leasehold.internal.";

    static CallSite here() {
        return new CallSite(WALKER.walk(
                frames -> frames.filter(frame -> !frame.getClassName().startsWith(OURS))
                        .findFirst()
                        .orElse(null)));
    }

    String describe() {
        return frame == null ? "an unknown place" : frame.toStackTraceElement().toString();
    }
}
