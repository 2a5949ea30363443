package dev.leasehold.internal.lock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Call sites of acquisitions: the first stack frame outside Leasehold. Few call sites acquire many leases, so each is resolved
 * and kept once, as text that refers to no class.
 */
public final class CallSites {

    /** Overloaded methods can only be told apart with the class reference; it is not kept. */
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final String OURS = "dev.leasehold.internal.";
    private static final String UNKNOWN = "an unknown place";
    /** Further call sites are resolved each time, so that generated classes without end cannot fill the memory. */
    private static final int MOST = 1000;

    /** A stack walk takes longer than a whole acquisition that sends nothing: only so many are done. */
    private static final long BETWEEN_WALKS_NANOS = 100_000;

    private static final String TOO_OFTEN =
            "an unknown place, because locks were taken over without a request too often";

    private volatile long walkedAt;

    private final Map<Place, String> known = new ConcurrentHashMap<>();

    private record Place(String type, String method, String descriptor, int index) {}

    /** The call site of an acquisition that took over a retained hold at this moment. */
    String ofTakeOver(long now) {
        if (now - walkedAt < BETWEEN_WALKS_NANOS) {
            return TOO_OFTEN;
        }
        walkedAt = now;
        return here();
    }

    String here() {
        return WALKER.walk(
                frames -> frames.filter(frame -> !frame.getClassName().startsWith(OURS))
                        .findFirst()
                        .map(this::described)
                        .orElse(UNKNOWN));
    }

    private String described(StackWalker.StackFrame frame) {
        Place place =
                new Place(frame.getClassName(), frame.getMethodName(), frame.getDescriptor(), frame.getByteCodeIndex());
        String there = known.get(place);
        if (there != null) {
            return there;
        }
        String described = frame.toStackTraceElement().toString();
        if (known.size() < MOST) {
            known.put(place, described);
        }
        return described;
    }
}
