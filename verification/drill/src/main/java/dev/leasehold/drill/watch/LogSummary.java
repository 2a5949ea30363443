package dev.leasehold.drill.watch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process logged.
 *
 * @param events lines by level
 * @param further lines that belong to an event, such as those of a stack
 * @param warnings distinct texts at WARN and ERROR without their numbers, each with how often it was logged
 */
public record LogSummary(Map<String, Integer> events, int further, Map<String, Integer> warnings) {

    private static final Pattern EVENT =
            Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} (TRACE|DEBUG|INFO|WARN|ERROR) +(\\S+) - (.*)");
    /** Tokens, ports, times and thread numbers, by which texts differ that say the same. */
    private static final Pattern NUMBER = Pattern.compile("\\b\\d[\\d.,]*");

    /**
     * Summarizes lines.
     *
     * @param lines as the pattern of the drill's logback.xml writes them
     * @return the summary
     */
    public static LogSummary of(List<String> lines) {
        Map<String, Integer> events = new TreeMap<>();
        Map<String, Integer> warnings = new LinkedHashMap<>();
        int further = 0;
        for (String line : lines) {
            Matcher event = EVENT.matcher(line);
            if (!event.matches()) {
                further++;
                continue;
            }
            String level = event.group(1);
            events.merge(level, 1, Integer::sum);
            if (level.equals("WARN") || level.equals("ERROR")) {
                String text = NUMBER.matcher(event.group(3)).replaceAll("N");
                warnings.merge(level + " " + event.group(2) + ": " + text, 1, Integer::sum);
            }
        }
        return new LogSummary(events, further, warnings);
    }

    /**
     * Returns how many lines report trouble: events at WARN and ERROR, and all lines of stacks.
     *
     * @return the number of lines
     */
    public int troubled() {
        return events.getOrDefault("WARN", 0) + events.getOrDefault("ERROR", 0) + further;
    }
}
