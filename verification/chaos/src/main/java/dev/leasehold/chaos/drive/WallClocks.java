package dev.leasehold.chaos.drive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/** Wall clocks of their own for workers, by libfaketime. The monotonic clock stays that of the machine. */
final class WallClocks {

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private final Path library;
    private final Path directory;

    private WallClocks(Path library, Path directory) {
        this.library = library;
        this.directory = directory;
    }

    /**
     * Keeps the clocks in files below this directory.
     *
     * @throws IllegalStateException if libfaketime is not installed where Debian's package "faketime" has it
     */
    static WallClocks below(Path directory) throws IOException {
        try (Stream<Path> places = Files.list(LIBRARIES)) {
            return new WallClocks(
                    places.map(place -> place.resolve(LIBRARY))
                            .filter(Files::exists)
                            .findFirst()
                            .orElseThrow(() -> new IllegalStateException(
                                    "worker-clock needs libfaketime, of the Debian package faketime")),
                    Files.createDirectories(directory.resolve("clocks")));
        }
    }

    /** What a process of this name is to be started with. */
    Map<String, String> environment(String name) {
        try {
            set(name, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file(name).toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1");
    }

    /** Moves the clock of the process, which looks at the file once a second: at each question it would have no time to work. */
    void set(String name, int aheadSeconds) throws IOException {
        Path next = directory.resolve(name + ".next");
        Files.writeString(next, (aheadSeconds < 0 ? "" : "+") + aheadSeconds + "\n");
        Files.move(next, file(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path file(String name) {
        return directory.resolve(name);
    }
}
