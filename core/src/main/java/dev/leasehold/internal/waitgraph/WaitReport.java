package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.key.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client tells: the leases that wait, those whose thread or owner waits for another lock, and the stacks that were asked for.
 *
 * @param process pid@host, as it stands beside its holds in Redis
 * @param proofs prove that the author knows the ids of holds; {@link ReportProofs#NONE} of a report that is not sent yet
 */
record WaitReport(String process, List<LeaseEntry> entries, Map<Long, List<String>> stacks, ReportProofs proofs) {

    private static final String FRAME = "s";
    private static final int WORDS_OF_FRAME = 3;

    /**
     * Writes the report: the number of the question and the process, then a line for each lease and for each frame, and last a proof for
     * each of these holds.
     */
    String text(String question, Collection<String> holds) {
        List<String> lines = new ArrayList<>();
        lines.add(question + " " + LeaseEntry.encoded(process));
        entries.forEach(entry -> lines.add(entry.line()));
        stacks.forEach((thread, frames) -> {
            for (String frame : frames) {
                lines.add(String.join(" ", FRAME, Long.toString(thread), LeaseEntry.encoded(frame)));
            }
        });
        return ReportProofs.append(String.join("\n", lines), holds);
    }

    /** Reads the answer to a question, as much of it as a process sends; null if it is something else. */
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
            if (entry != null && entries.size() < LocalWaits.MOST_ENTRIES) {
                entries.add(entry);
            } else {
                readFrame(line, stacks);
            }
        }
        return new WaitReport(Names.percentDecode(head[1]), entries, stacks, ReportProofs.read(text));
    }

    private static void readFrame(String line, Map<Long, List<String>> stacks) {
        String[] words = line.split(" ", -1);
        if (words.length == WORDS_OF_FRAME && words[0].equals(FRAME) && words[1].matches("\\d{1,18}")) {
            stacks.computeIfAbsent(Long.parseLong(words[1]), thread -> new ArrayList<>())
                    .add(Names.percentDecode(words[2]));
        }
    }
}
