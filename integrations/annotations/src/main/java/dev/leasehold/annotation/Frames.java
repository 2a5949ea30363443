package dev.leasehold.annotation;

import java.util.List;
import java.util.stream.Stream;

/** The calls that a thread runs under locks, the innermost last. */
public final class Frames {

    private static final ThreadLocal<List<Frame>> CURRENT = ThreadLocal.withInitial(List::of);

    private Frames() {}

    /**
     * Returns the calls of this thread.
     *
     * @return the calls, or none
     */
    public static List<Frame> current() {
        return CURRENT.get();
    }

    static List<Frame> plus(List<Frame> frames, Frame frame) {
        return Stream.concat(frames.stream(), Stream.of(frame)).toList();
    }

    static void push(Frame frame) {
        set(plus(current(), frame));
    }

    /** Removes one frame. Later frames stay: a lock that waits for the end of a transaction outlives its call. */
    static void remove(Frame frame) {
        set(current().stream().filter(other -> other != frame).toList());
    }

    /** Sets the frames of a thread that continues the call of another thread. */
    static void set(List<Frame> frames) {
        if (frames.isEmpty()) {
            CURRENT.remove();
        } else {
            CURRENT.set(frames);
        }
    }
}
