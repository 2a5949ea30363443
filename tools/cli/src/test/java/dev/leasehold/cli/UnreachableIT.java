package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnreachableIT {

    static List<List<String>> commands() {
        return List.of(
                List.of("run", "--redis", "URI", "job", "--", "echo", "ran"),
                List.of("ls", "--redis", "URI"),
                List.of("top", "--redis", "URI"),
                List.of("show", "--redis", "URI", "job"),
                List.of("release", "--redis", "URI", "job", "--force", "--yes"),
                List.of("doctor", "--redis", "URI"),
                List.of("demo", "--redis", "URI"),
                List.of("demo", "--redis", "URI", "--keep"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void endWith69AndOneLineWhenNoServerListens(List<String> command) throws IOException {
        CliResult cli = CliResult.of(with(command, unreachable()));
        assertThat(cli.exitCode()).isEqualTo(69);
        assertThat(cli.out()).isEmpty();
        cli.assertOneLineError("cannot be");
        assertThat(cli.err()).doesNotContain("s3cret", "<unresolved>", " /127", "finishConnect");
    }

    /** Beside the line, no log message may be on the standard error of the process. */
    @Test
    void readTheEnvironmentAndPrintNothingButTheLine() throws IOException {
        int port = freePort();
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", "redis://app:s3cret@127.0.0.1:" + port + "/2");
        try (CliProcess cli = CliProcess.start(environment, "", "run", "job", "--", "echo", "ran")) {
            assertThat(cli.exitCode()).isEqualTo(69);
            assertThat(cli.out()).isEmpty();
            cli.assertOneLineError("cannot be", "127.0.0.1:" + port);
            assertThat(cli.err()).doesNotContain("s3cret");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void endWith69AndOneLineWhenThePasswordIsWrong(List<String> command) {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password("right").start()) {
            CliResult cli = CliResult.of(with(command, "redis://:s3cret@127.0.0.1:" + redis.port()));
            assertThat(cli.exitCode()).isEqualTo(69);
            assertThat(cli.out()).isEmpty();
            cli.assertOneLineError("WRONGPASS");
            assertThat(cli.err()).doesNotContain("s3cret");
        }
    }

    @Test
    void showsTheStackTraceWithDebug() throws IOException {
        try (CliProcess cli = CliProcess.run("ls", "--debug", "--redis", "redis://127.0.0.1:" + freePort())) {
            assertThat(cli.exitCode()).isEqualTo(69);
            assertThat(cli.err()).contains("LockUnavailableException", "\tat dev.leasehold.");
        }
    }

    private static String unreachable() throws IOException {
        return "redis://app:s3cret@127.0.0.1:" + freePort() + "/2";
    }

    private static String[] with(List<String> command, String uri) {
        return command.stream().map(word -> word.equals("URI") ? uri : word).toArray(String[]::new);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
