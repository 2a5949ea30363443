package dev.leasehold.tck;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which request of a connection a frame from the server answers: replies come in the order of the requests,
 * messages of a subscription come between. CLIENT REPLY OFF is not followed. Not thread-safe.
 */
final class ReplyPairing {

    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");

    private final Deque<Expected> expected = new ArrayDeque<>();
    private boolean subscribed;
    private boolean resp3;

    /** A request that has gone to the server; the reply to a hidden one is for nobody. */
    record Expected(RespRequest request, boolean hidden, int replies) {}

    void sent(RespRequest request, boolean hidden) {
        subscribed |= request.isSubscription();
        resp3 |= request.asksForResp3();
        expected.add(new Expected(request, hidden, request.replies()));
    }

    /** The request that this frame answers, or empty for what nobody asked for. */
    Optional<Expected> answered(byte[] frame) {
        Expected head = expected.peek();
        if (head == null) {
            return Optional.empty();
        }
        boolean push = frame[0] == '>';
        // Before RESP3 a message looks like any other list, but comes only to those who subscribed.
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

    /** A subscription is confirmed channel by channel. An error, which needs no such care, ends it at once. */
    private Optional<Expected> confirmed(Expected head) {
        expected.remove();
        if (head.replies() > 1) {
            expected.addFirst(new Expected(head.request(), head.hidden(), head.replies() - 1));
        }
        return Optional.of(head);
    }

    /** Of a list that begins with a bulk string, in small letters. */
    private static String firstWord(byte[] frame) {
        String text = new String(frame, 0, Math.min(frame.length, 64), StandardCharsets.ISO_8859_1);
        String[] lines = text.split("\r\n", 4);
        return lines.length > 2 && lines[1].startsWith("$") ? lines[2].toLowerCase(Locale.ROOT) : "";
    }
}
