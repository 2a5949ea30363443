package dev.leasehold.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LuaLibraryTest {

    @Test
    void isLoadedFromADirectoryOfThisUserAlone() throws Exception {
        String before = System.getProperty("java.io.tmpdir");
        new LuaState();
        Path directory = PrivateDirectory.get().toRealPath();
        List<Path> libraries;
        try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
            libraries = mapped.filter(line -> line.contains("lua51"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .distinct()
                    .toList();
        }
        assertThat(libraries).hasSize(1).allMatch(library -> library.startsWith(directory));
        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PrivateDirectory.PERMISSIONS);
        assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
    }
}
