package dev.leasehold.internal.key;

import java.nio.charset.StandardCharsets;

/** Who holds, for people who inspect: each part at most 63 bytes of UTF-8, so that the hash stays compact in Redis. */
public record Holder(String process, String thread, String label) {

    private static final int MAX_BYTES = 63;

    /** Cuts what is too long. */
    public Holder {
        process = cut(process);
        thread = cut(thread);
        label = cut(label);
    }

    private static String cut(String text) {
        if (text.length() <= MAX_BYTES / 3 || text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return text;
        }
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }
}
