package dev.leasehold.micrometer;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The context of an acquisition. A tracing handler writes into it as into the headers of a request, so the trace id is
 * available without a tracing library.
 */
final class TraceParent extends SenderContext<AtomicReference<String>> {

    /** The format of W3C Trace Context, section 3.2. An id of zeros is invalid. */
    private static final Pattern FORMAT =
            Pattern.compile("[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");

    private static final int MAX_CHARS = 256;

    TraceParent() {
        super(
                (header, name, value) -> {
                    if (header != null && name.toLowerCase(Locale.ROOT).equals("traceparent")) {
                        header.set(value);
                    }
                },
                Kind.CLIENT);
        setCarrier(new AtomicReference<>(""));
        setRemoteServiceName("redis");
    }

    /** Returns the trace id, or null if no handler has written one. */
    @Nullable
    String traceId() {
        AtomicReference<String> header = getCarrier();
        String value = header == null ? "" : Objects.requireNonNullElse(header.get(), "");
        Matcher matcher = FORMAT.matcher(value.length() > MAX_CHARS ? "" : value);
        return matcher.matches() ? matcher.group(1) : null;
    }
}
