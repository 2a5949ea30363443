package dev.leasehold.internal.lock;

import dev.leasehold.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Call sites of acquisitions: the first stack frame outside Leasehold. Few call sites acquire many leases, so each is resolved
 * and kept once, as text that refers to no class. Walking the stack costs as much as the rest of an acquisition, so of those that
 * follow each other within a millisecond only the first is looked up.
 */
public final class CallSites {

    /** Overloaded methods can only be told apart with the class reference; it is not kept. */
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final String OURS = "dev.leasehold.internal.";
    private static final String UNKNOWN = "an unknown place";
    /** Further call sites are resolved each time, so that generated classes without end cannot fill the memory. */
    private static final int MOST = 1000;

    private static final long INTERVAL_NANOS = 1_000_000;

    private final TimeSource time;
    private final Map<Place, String> known = new ConcurrentHashMap<>();
    private volatile long nextAt;
    private volatile LastPlace last = new LastPlace(UNKNOWN);

    private record Place(String type, String method, String descriptor, int index) {}

    /** The place that was looked up last, and what is said of an acquisition whose place is not looked up. */
    private record LastPlace(String place, String instead) {

        LastPlace(String place) {
            this(place, "a place that was not recorded, perhaps " + place);
        }
    }

    public CallSites(TimeSource time) {
        this.time = time;
        this.nextAt = time.nanoTime();
    }

    /** Returns the place from which the caller was called, or, if another was looked up just before, that this may be it. */
    String here() {
        return here(time.nanoTime());
    }

    /** Returns the same at this moment. */
    String here(long now) {
        if (now - nextAt < 0) {
            return last.instead;
        }
        nextAt = now + INTERVAL_NANOS;
        String place = place();
        if (!last.place.equals(place)) {
            last = new LastPlace(place);
        }
        return place;
    }

    private String place() {
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
