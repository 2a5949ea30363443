package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.key.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client tells: the leases that wait, those whose thread or owner waits for another lock, and the stacks that were asked for.
 *
 * @param process pid@host, as it stands beside its holds in Redis
 */
record WaitReport(String process, List<LeaseEntry> entries, Map<Long, List<String>> stacks) {

    private static final String FRAME = "s";
    private static final int WORDS_OF_FRAME = 3;

    /** Writes the report: the number of the question and the process, and then a line for each lease and for each frame. */
    String text(String question) {
        List<String> lines = new ArrayList<>();
        lines.add(question + " " + LeaseEntry.encoded(process));
        entries.forEach(entry -> lines.add(entry.line()));
        stacks.forEach((thread, frames) -> {
            for (String frame : frames) {
                lines.add(String.join(" ", FRAME, Long.toString(thread), LeaseEntry.encoded(frame)));
            }
        });
        return String.join("\n", lines);
    }

    /** Reads the answer to a question; null if it is something else. */
    @Nullable
    static WaitReport read(String question, String text) {
        List<String> lines = List.of(text.split("\n", -1));
        String[] head = lines.get(0).split(" ", -1);
        if (head.length != 2 || !head[0].equals(question)) {
            return null;
        }
        List<LeaseEntry> entries = new ArrayList<>();
        Map<Long, List<String>> stacks = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            LeaseEntry entry = LeaseEntry.read(line);
            if (entry != null) {
                entries.add(entry);
            } else {
                readFrame(line, stacks);
            }
        }
        return new WaitReport(Names.percentDecode(head[1]), entries, stacks);
    }

    private static void readFrame(String line, Map<Long, List<String>> stacks) {
        String[] words = line.split(" ", -1);
        if (words.length == WORDS_OF_FRAME && words[0].equals(FRAME) && words[1].matches("\\d{1,18}")) {
            stacks.computeIfAbsent(Long.parseLong(words[1]), thread -> new ArrayList<>())
                    .add(Names.percentDecode(words[2]));
        }
    }
}
