package dev.leasehold.examples.quickstart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The content of a cell of the table of defaults in any language: its numbers with units, and its key words. */
final class Quantities {

    private static final Map<String, String> UNITS =
            Map.of("秒", "s", "毫秒", "ms", "分钟", "min", "天", "day", "days", "day", "字节", "bytes");
    private static final Map<String, String> WORDS = Map.of(
            "none",
            "none",
            "无",
            "none",
            "unlimited",
            "unlimited",
            "不限",
            "unlimited",
            "off",
            "off",
            "关闭",
            "off",
            "logged",
            "logged",
            "记入日志",
            "logged");
    private static final Pattern PART = Pattern.compile("`([^`]+)`"
            + "|(?<![\\w-])(\\d+(?:/\\d+)?)(?: ?(%|ms|s|min|days?|bytes|毫秒|秒|分钟|天|字节)(?![a-z]))?"
            + "|(" + String.join("|", WORDS.keySet()) + ")");

    private Quantities() {}

    static List<String> of(String cell) {
        List<String> found = new ArrayList<>();
        Matcher part = PART.matcher(cell);
        while (part.find()) {
            if (part.group(1) != null) {
                found.add(part.group(1));
            } else if (part.group(2) != null) {
                String unit = part.group(3);
                found.add(unit == null ? part.group(2) : part.group(2) + " " + UNITS.getOrDefault(unit, unit));
            } else {
                found.add(WORDS.get(part.group(4)));
            }
        }
        return found;
    }

    /** Formats a time in the largest unit in which it is a whole number. */
    static String of(Duration time) {
        if (time.toMillis() % 1000 != 0) {
            return time.toMillis() + " ms";
        }
        if (time.toSeconds() % 60 != 0) {
            return time.toSeconds() + " s";
        }
        return time.toSeconds() % 86400 == 0 ? time.toDays() + " day" : time.toMinutes() + " min";
    }

    static String ofNanos(long nanos) {
        return of(Duration.ofNanos(nanos));
    }
}
