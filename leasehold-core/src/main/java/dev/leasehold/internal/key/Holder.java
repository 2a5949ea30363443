package dev.leasehold.internal.key;

import java.nio.charset.StandardCharsets;

/**
 * Who holds, for people who inspect: each of the two fields at most 63 bytes of UTF-8, so that the hash stays compact in
 * Redis. Process and thread share one, because every field costs the server time at each acquire and release.
 */
public record Holder(String process, String thread, String label) {

    private static final int MAX_BYTES = 63;
    private static final int MAX_PROCESS_BYTES = 42;

    /** Cuts what is too long. A thread has the room that the process leaves. */
    public Holder {
        process = cut(process.replace(' ', '_'), MAX_PROCESS_BYTES);
        thread = cut(thread, MAX_BYTES - 1 - process.getBytes(StandardCharsets.UTF_8).length);
        label = cut(label, MAX_BYTES);
    }

    /** Reads the fields of a hold. */
    public static Holder read(String who, String label) {
        int blank = who.indexOf(' ');
        return blank < 0
                ? new Holder(who, "", label)
                : new Holder(who.substring(0, blank), who.substring(blank + 1), label);
    }

    /** The host of the process. */
    public String host() {
        return process.substring(process.indexOf('@') + 1);
    }

    /** The number of the process, 0 if it is not known. */
    public long pid() {
        int at = process.indexOf('@');
        return at > 0 ? Long.parseLong(process.substring(0, at)) : 0;
    }

    /** Process and thread, as they are kept in one field. */
    public String who() {
        return process + " " + thread;
    }

    private static String cut(String text, int max) {
        if (text.length() <= max / 3 || text.getBytes(StandardCharsets.UTF_8).length <= max) {
            return text;
        }
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > max) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }
}
