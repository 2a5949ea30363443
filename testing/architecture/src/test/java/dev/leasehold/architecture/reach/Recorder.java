package dev.leasehold.architecture.reach;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Collects the calls that {@link RecordingAgent} reports. The bootstrap loader loads it, because {@link Class} calls it, so it
 * uses only the JDK.
 */
public final class Recorder {
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
    private static final ThreadLocal<Boolean> BUSY = new ThreadLocal<>();

    private Recorder() {}

    /** Called first by each instrumented method. */
    public static void called(String method, Object target, Object[] arguments) {
        if (BUSY.get() != null) {
            return;
        }
        BUSY.set(true);
        try {
            // The frames are this method, the instrumented one, and its caller.
            StackTraceElement[] frames = new Throwable().getStackTrace();
            StringBuilder line = new StringBuilder(method)
                    .append('\t')
                    .append(frames.length > 2 ? frames[2].getClassName() : "")
                    .append('\t')
                    .append(text(target));
            for (Object argument : arguments) {
                line.append('\t').append(text(argument));
            }
            SEEN.add(line.toString());
        } finally {
            BUSY.remove();
        }
    }

    private static String text(Object value) {
        if (value instanceof Class<?> type) {
            return type.getName();
        }
        if (value instanceof Member member) {
            String name = value instanceof Constructor<?> ? "<init>" : member.getName();
            // Without the operator +, whose linkage calls methods that are instrumented.
            return new StringBuilder(member.getDeclaringClass().getName())
                    .append('\t')
                    .append(name)
                    .toString();
        }
        if (value instanceof Class<?>[] types) {
            StringBuilder all = new StringBuilder();
            for (Class<?> type : types) {
                all.append(all.length() == 0 ? "" : ",").append(type.getName());
            }
            return all.toString();
        }
        return value instanceof String text ? text : "";
    }

    /** Writes the calls so far, each as a line of texts separated by tabs. */
    public static void write(Path file) throws IOException {
        BUSY.set(true);
        try {
            Files.write(file, new TreeSet<>(SEEN));
        } finally {
            BUSY.remove();
        }
    }
}
