package dev.leasehold.chaos.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The histories of all processes, as one. */
public final class Histories {

    static final String SUFFIX = ".history";

    private Histories() {}

    /** All lines of all files of a directory, in the order of time. */
    public static List<Event> read(Path directory) {
        List<Event> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                events.addAll(parse(Files.readString(file, StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        events.sort(Comparator.comparingLong(Event::at));
        return events;
    }

    /** A last line without its end was cut by SIGKILL: what it was to tell had not yet been done. */
    static List<Event> parse(String text) {
        List<Event> events = new ArrayList<>();
        int from = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
            events.add(Event.parse(text.substring(from, end)));
            from = end + 1;
        }
        return events;
    }
}
