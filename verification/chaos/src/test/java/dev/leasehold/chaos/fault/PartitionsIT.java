package dev.leasehold.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.mutant.ClassPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets are dropped in a network namespace of another JVM. */
@Tag("full")
class PartitionsIT {

    @Test
    void aServerIsCutOffFromOthersAndFromAll(@TempDir Path directory) throws IOException, InterruptedException {
        Process cutOff = new ProcessBuilder(
                        "unshare",
                        "--net",
                        "--",
                        "sh",
                        "-c",
                        "ip link set lo up && exec \"$@\"",
                        "own-network",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ClassPath.own(),
                        CutOff.class.getName(),
                        directory.resolve("data").toString())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(cutOff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(cutOff.waitFor()).as(said).isZero();
            assertThat(said).contains(CutOff.DONE);
        } finally {
            cutOff.destroyForcibly();
        }
    }
}
