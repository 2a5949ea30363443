package dev.leasehold.chaos.history;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The histories of all processes, as one. */
public final class Histories {

    static final String SUFFIX = ".history";

    private Histories() {}

    /** Reads all lines of all files of a directory, in the order of time. */
    public static List<Event> read(Path directory) {
        List<Event> events = new ArrayList<>();
        Map<String, String> shared = new HashMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                    parse(reader, shared, events);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        events.sort(Comparator.comparingLong(Event::at));
        return events;
    }

    static List<Event> parse(String text) {
        List<Event> events = new ArrayList<>();
        try {
            parse(new StringReader(text), new HashMap<>(), events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    /**
     * Parses one file. A long run has ten million lines, so they are read one by one, and recurring texts are kept
     * once. A last line without its end was cut by SIGKILL: the action that it announced had not started.
     */
    private static void parse(Reader reader, Map<String, String> shared, List<Event> events) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = reader.read(); next >= 0; next = reader.read()) {
            if (next == '\n') {
                events.add(Event.parse(line.toString(), shared));
                line.setLength(0);
            } else {
                line.append((char) next);
            }
        }
    }
}
