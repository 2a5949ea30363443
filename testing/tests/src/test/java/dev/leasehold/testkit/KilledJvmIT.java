package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No server outlives the JVM that started it, however that JVM ends. */
class KilledJvmIT {

    /** The child JVM's program: it starts a server, disturbs it as requested, prints its address, and waits. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws IOException {
            if (args[0].equals("cluster")) {
                for (EmbeddedRedis node : EmbeddedCluster.start().nodes()) {
                    System.out.println(describe(node));
                }
                System.in.read();
                return;
            }
            EmbeddedRedis redis = EmbeddedRedis.start();
            Path files = files(redis);
            switch (args[0]) {
                case "paused" -> redis.pause();
                case "restarted" -> redis.restart();
                case "killed" -> redis.kill();
                default -> {}
            }
            long wrapper = redis.isRunning()
                    ? wrapper(redis)
                    : ProcessHandle.current()
                            .children()
                            .findFirst()
                            .orElseThrow()
                            .pid();
            System.out.println(redis.pid() + " " + wrapper + " " + files);
            if (args[0].equals("exiting")) {
                return;
            }
            System.in.read();
        }

        private static String describe(EmbeddedRedis redis) {
            return redis.pid() + " " + wrapper(redis) + " " + files(redis);
        }

        private static long wrapper(EmbeddedRedis redis) {
            return ProcessHandle.of(redis.pid())
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow()
                    .pid();
        }

        private static Path files(EmbeddedRedis redis) {
            return EmbeddedRedisIT.dataDirectory(redis).getParent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "paused", "restarted", "killed"})
    void theServerItsWrapperAndItsFilesGoWithAKilledJvm(String state) throws IOException, InterruptedException {
        Process jvm = child(state);
        try (BufferedReader out = jvm.inputReader()) {
            String[] words = String.valueOf(out.readLine()).split(" ", -1);
            assertThat(words).hasSize(3);
            assertThat(Path.of(words[2])).isDirectory();

            jvm.destroyForcibly().waitFor();

            awaitGone(words);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void allNodesOfAClusterGoWithAKilledJvm() throws IOException, InterruptedException {
        Process jvm = child("cluster");
        try (BufferedReader out = jvm.inputReader()) {
            List<String[]> nodes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                nodes.add(String.valueOf(out.readLine()).split(" ", -1));
            }
            assertThat(nodes).allSatisfy(words -> {
                assertThat(words).hasSize(3);
                assertThat(isRunning(Long.parseLong(words[0]))).isTrue();
            });

            jvm.destroyForcibly().waitFor();

            nodes.forEach(KilledJvmIT::awaitGone);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void theyGoTooWhenTheJvmEndsWithoutClosing() throws IOException, InterruptedException {
        Process jvm = child("exiting");
        try (BufferedReader out = jvm.inputReader()) {
            String[] words = String.valueOf(out.readLine()).split(" ", -1);
            assertThat(words).hasSize(3);
            assertThat(jvm.waitFor()).isZero();
            awaitGone(words);
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static void awaitGone(String[] words) {
        TestLimits.await().untilAsserted(() -> {
            assertThat(isRunning(Long.parseLong(words[0]))).as("server").isFalse();
            assertThat(isRunning(Long.parseLong(words[1]))).as("wrapper").isFalse();
            assertThat(Path.of(words[2])).doesNotExist();
        });
    }

    /**
     * Returns whether the process runs. A process that has ended but was not reaped is still listed, without a
     * command.
     */
    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).flatMap(handle -> handle.info().command()).isPresent();
    }

    private static Process child(String state) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = List.of(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                state);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
