package dev.leasehold.tck;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Pairs frames from the server with the requests of a connection: replies arrive in the order of the requests,
 * messages of a subscription arrive in between. CLIENT REPLY OFF is not supported. Not thread-safe.
 */
final class ReplyPairing {

    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

    private final Deque<Expected> expected = new ArrayDeque<>();
    private boolean subscribed;
    private boolean resp3;

    /** A request that was sent to the server; the reply to a hidden one is discarded. */
    record Expected(RespRequest request, boolean hidden, int replies) {}

    void sent(RespRequest request, boolean hidden) {
        subscribed |= request.isSubscription();
        resp3 |= request.asksForResp3();
        expected.add(new Expected(request, hidden, request.replies()));
    }

    /** Returns the request that this frame answers, or empty for a message. */
    Optional<Expected> answered(byte[] frame) {
        Expected head = expected.peek();
        if (head == null) {
            return Optional.empty();
        }
        boolean push = frame[0] == '>';
        // Before RESP3 a message looks like any other list, but arrives only on a subscribed connection.
        if (push || (subscribed && !resp3 && frame[0] == '*')) {
            String kind = firstWord(frame);
            boolean confirmation = kind.endsWith("subscribe");
            if (confirmation && head.request().isSubscription()) {
                return confirmed(head);
            }
            if (push || confirmation || MESSAGES.contains(kind)) {
                return Optional.empty();
            }
        }
        expected.remove();
        return Optional.of(head);
    }

    /**
     * Counts one confirmation: each channel of a subscription is confirmed separately. An error ends the
     * subscription at once.
     */
    private Optional<Expected> confirmed(Expected head) {
        expected.remove();
        if (head.replies() > 1) {
            expected.addFirst(new Expected(head.request(), head.hidden(), head.replies() - 1));
        }
        return Optional.of(head);
    }

    /** Returns the first word of a list that begins with a bulk string, in lower case. */
    private static String firstWord(byte[] frame) {
        String text = new String(frame, 0, Math.min(frame.length, 64), StandardCharsets.ISO_8859_1);
        String[] lines = text.split("\r\n", 4);
        return lines.length > 2 && lines[1].startsWith("$") ? lines[2].toLowerCase(Locale.ROOT) : "";
    }
}
