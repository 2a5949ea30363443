package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

@WithRedis
class ConsoleIT {

    private final EmbeddedRedis redis;

    ConsoleIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Test
    void printsAnAddressThatServesThePageUntilItIsEnded() throws Exception {
        try (CliProcess cli = CliProcess.start("console", "--redis", redis.uri())) {
            cli.awaitOut("Ctrl-C");
            assertThat(cli.out())
                    .startsWith("The console of redis://" + redis.host() + ":" + redis.port() + " is at\n");
            URI uri = cli.out()
                    .lines()
                    .filter(line -> line.startsWith("  http"))
                    .map(line -> URI.create(line.strip()))
                    .findFirst()
                    .orElseThrow();
            assertThat(uri.getHost()).isEqualTo("127.0.0.1");
            assertThat(uri.getFragment()).startsWith("token=");
            try (InputStream page = uri.toURL().openStream()) {
                assertThat(new String(page.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("<title>Leasehold</title>");
            }
            CliProcess.signal("TERM", cli.handle());
            assertThat(cli.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void refusesAPortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CliResult cli =
                    CliResult.of("console", "--redis", redis.uri(), "--port", String.valueOf(taken.getLocalPort()));
            assertThat(cli.exitCode()).isEqualTo(64);
            cli.assertOneLineError("cannot listen on port " + taken.getLocalPort(), "--port");
        }
    }

    @Test
    void refusesWhatIsNoPort() {
        CliResult.of("console", "--port", "70000").assertOneLineError("--port 70000 is not a port");
    }
}
