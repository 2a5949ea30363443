package dev.leasehold.internal.key;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The description of a holder for {@code inspect}. In Redis it is two fields of at most 63 bytes of UTF-8 each, so that
 * the hash stays compact. Process and thread share one field, because every field costs the server time at each acquire
 * and release.
 */
public record Holder(String process, String thread, String label) {

    private static final int MAX_BYTES = 63;
    private static final Pattern PID = Pattern.compile("([0-9]{1,18})@");
    private static final int MAX_PROCESS_BYTES = 42;

    /** Truncates long values. The thread name gets the bytes that the process name leaves. */
    public Holder {
        process = cut(process.replace(' ', '_'), MAX_PROCESS_BYTES);
        // A line feed separates the holder from a named owner.
        thread = cut(thread.replace('\n', ' '), MAX_BYTES - 1 - bytes(process));
        label = cut(label, MAX_BYTES);
    }

    /** Reads the fields of a hold. */
    public static Holder read(String processAndThread, String label) {
        int blank = processAndThread.indexOf(' ');
        return blank < 0
                ? new Holder(processAndThread, "", label)
                : new Holder(processAndThread.substring(0, blank), processAndThread.substring(blank + 1), label);
    }

    /** Returns the host of the process. */
    public String host() {
        return process.substring(process.indexOf('@') + 1);
    }

    /** Returns the process id; 0 if it is not known, or is no number because a client in another language wrote the text. */
    public long pid() {
        Matcher pid = PID.matcher(process);
        return pid.lookingAt() ? Long.parseLong(pid.group(1)) : 0;
    }

    /** Returns process and thread as stored in one field. */
    public String who() {
        return process + " " + thread;
    }

    private static String cut(String text, int max) {
        if (bytes(text) <= max) {
            return text;
        }
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += bytes(point);
            if (bytes > max) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }

    private static int bytes(String text) {
        int bytes = 0;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            bytes += bytes(text.codePointAt(at));
        }
        return bytes;
    }

    /** The length of a code point in UTF-8. A lone surrogate becomes a question mark. */
    private static int bytes(int point) {
        if (point < 0x80 || (Character.isBmpCodePoint(point) && Character.isSurrogate((char) point))) {
            return 1;
        }
        return point < 0x800 ? 2 : Character.isBmpCodePoint(point) ? 3 : 4;
    }
}
