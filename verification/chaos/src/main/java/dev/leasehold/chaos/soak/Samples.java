package dev.leasehold.chaos.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The sampled values of a run.
 *
 * @param about the server, the machine and the time
 * @param series the values of each figure of each subject, in the order of time
 */
public record Samples(List<String> about, Map<String, List<Value>> series) {

    static final String FILE = "samples.tsv";

    /**
     * One value.
     *
     * @param second since the beginning of the run
     * @param value the value
     */
    public record Value(long second, long value) {}

    /** A line of a file that says something of the run as a whole. */
    static final String ABOUT = "#";

    /** Reads the samples from the directory of a run. */
    public static Samples read(Path directory) throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve(FILE), StandardCharsets.UTF_8)) {
            return parse(lines);
        }
    }

    static Samples parse(Stream<String> lines) {
        Samples samples = new Samples(new ArrayList<>(), new TreeMap<>());
        lines.forEach(line -> {
            String[] fields = line.split("\t", -1);
            if (fields[0].equals(ABOUT)) {
                samples.about.add(fields[1]);
            } else {
                samples.series
                        .computeIfAbsent(fields[1], series -> new ArrayList<>())
                        .add(new Value(Long.parseLong(fields[0]), Long.parseLong(fields[2])));
            }
        });
        return samples;
    }

    /** Returns the last second of any series. */
    long seconds() {
        return series.values().stream()
                .flatMap(List::stream)
                .mapToLong(Value::second)
                .max()
                .orElse(0);
    }

    /** Returns the number of moments at which something was sampled. */
    long count() {
        return series.values().stream().mapToLong(List::size).max().orElse(0);
    }
}
