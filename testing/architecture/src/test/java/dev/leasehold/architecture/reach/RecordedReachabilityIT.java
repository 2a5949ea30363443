package dev.leasehold.architecture.reach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What programs reach by name as they run is registered. The tracing agent of the GraalVM that {@code LEASEHOLD_GRAALVM} names records
 * it; without that variable, {@link RecordingAgent} does on the JDK of the build.
 */
@WithRedis
class RecordedReachabilityIT {
    private static final String GRAALVM = System.getenv("LEASEHOLD_GRAALVM");
    private static final Libraries LIBRARIES = Judged.libraries();

    private final EmbeddedRedis redis;

    @TempDir
    private Path directory;

    RecordedReachabilityIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Test
    void whatTheLibrariesReachIsRegistered() throws Exception {
        List<Access> reached = recorded(RecordedProgram.class.getName(), redis.uri());
        assertThat(reached)
                .as("a recording that lacks these is none")
                .anyMatch(access -> access.owner().equals("dev/leasehold/internal/script/acquire.lua"))
                .anyMatch(access -> access.owner().equals("dev/leasehold/console/page/index.html"))
                .anyMatch(access -> access.owner().equals("dev.leasehold.lettuce.LettuceTransportProvider"))
                .anyMatch(access -> access.owner().equals("redis.clients.jedis.UnifiedJedis"));
        assertThat(unregistered(reached)).isEmpty();
    }

    @Test
    void whatTheCommandLineReachesIsRegistered() throws Exception {
        List<Access> reached = new ArrayList<>(recorded("dev.leasehold.cli.Main", "ls"));
        reached.addAll(recorded("dev.leasehold.cli.Main", "run", "report", "--", "true"));
        assertThat(reached)
                .as("a recording that lacks these is none")
                .anyMatch(access -> access.owner().equals("dev/leasehold/cli/internal/run/guard.sh"))
                .anyMatch(access -> access.owner().equals("dev.leasehold.cli.internal.run.RunCommand"))
                .anyMatch(access -> access.owner().equals("sun.misc.SignalHandler"));
        assertThat(unregistered(reached)).isEmpty();
    }

    private static List<Access> unregistered(List<Access> reached) {
        Metadata metadata = LIBRARIES.metadata();
        return reached.stream().filter(access -> !metadata.registers(access)).toList();
    }

    private List<Access> recorded(String main, String... arguments) throws Exception {
        Path output = Files.createTempDirectory(directory, "recorded");
        List<String> command = new ArrayList<>();
        command.add(Path.of(GRAALVM == null ? System.getProperty("java.home") : GRAALVM, "bin", "java")
                .toString());
        command.add(
                GRAALVM == null ? recordingAgent(output) : "-agentlib:native-image-agent=config-output-dir=" + output);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        Path log = output.resolveSibling(output.getFileName() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("LEASEHOLD_REDIS", redis.uri());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES))
                    .as("the program ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        return GRAALVM == null
                ? RecordedCalls.of(Files.readAllLines(output.resolve("calls")), LIBRARIES)
                        .toList()
                : TracedCalls.of(output, LIBRARIES);
    }

    /** Writes the jar of the agent, which the bootstrap loader reads, too. */
    private static String recordingAgent(Path output) throws IOException {
        Path jar = output.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", RecordingAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        String recorder = Recorder.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                var in = Recorder.class.getResourceAsStream("/" + recorder)) {
            entries.putNextEntry(new JarEntry(recorder));
            in.transferTo(entries);
        }
        return "-javaagent:" + jar + "=" + jar + "," + output.resolve("calls");
    }
}
