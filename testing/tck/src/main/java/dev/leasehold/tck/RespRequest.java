package dev.leasehold.tck;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A request as its words; the first is the command. */
record RespRequest(List<String> words) {

    private static final Set<String> SUBSCRIPTIONS =
            Set.of("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE");
    private static final Set<String> LOGINS = Set.of("AUTH", "HELLO", "SELECT");

    /** Reads a whole frame: an array of bulk strings, or a line of words. */
    static RespRequest of(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("*")) {
            return new RespRequest(List.of(text.strip().split("\\s+")));
        }
        List<String> words = new ArrayList<>();
        int at = text.indexOf('\n') + 1;
        while (at < frame.length) {
            int length = Integer.parseInt(text.substring(at + 1, text.indexOf('\r', at)));
            int from = text.indexOf('\n', at) + 1;
            words.add(new String(frame, from, length, StandardCharsets.UTF_8));
            at = from + length + 2;
        }
        return new RespRequest(words);
    }

    /** Returns the command in capitals. */
    String command() {
        return words.isEmpty() ? "" : words.get(0).toUpperCase(Locale.ROOT);
    }

    String text() {
        return String.join(" ", words);
    }

    boolean isSubscription() {
        return SUBSCRIPTIONS.contains(command());
    }

    /** Returns whether it sets up the connection for later requests. */
    boolean isLogin() {
        return LOGINS.contains(command());
    }

    boolean asksForResp3() {
        return command().equals("HELLO") && words.size() > 1 && words.get(1).equals("3");
    }

    /**
     * Returns the number of replies: one for each channel of a subscription; an unsubscription from all counts as
     * one.
     */
    int replies() {
        return isSubscription() ? Math.max(1, words.size() - 1) : 1;
    }
}
