package dev.leasehold.internal.lock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where leases are taken: the first frame outside Leasehold. Few places take many leases, so each is resolved and kept
 * once, as text that holds on to no class.
 */
public final class CallSites {

    /** Which of several methods of one name it was is told only with the class; that is not kept. */
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final String OURS = "dev.leasehold.internal.";
    private static final String UNKNOWN = "an unknown place";
    /** More are resolved each time: who generates classes without end must not fill the memory. */
    private static final int MOST = 1000;

    private final Map<Place, String> known = new ConcurrentHashMap<>();

    private record Place(String type, String method, String descriptor, int index) {}

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
