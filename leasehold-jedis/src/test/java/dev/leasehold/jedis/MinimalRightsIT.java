package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Finding;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.TlsCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rights in section 2 of {@code docs/operations.md} suffice over Jedis, too, and over TLS. */
class MinimalRightsIT {

    private static final Pattern COMMAND =
            Pattern.compile("<!-- acl: (?:app|wake-ups|list) -->\n```text\nACL SETUSER app (.*)\n```");

    @Test
    void suffice() throws Exception {
        try (TlsCertificates certificates = TlsCertificates.create();
                EmbeddedRedis redis = EmbeddedRedis.builder().tls(certificates).start()) {
            List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", ">secret"));
            command.addAll(rights());
            redis.command(command.toArray(String[]::new));
            try (Leasehold leasehold = Leasehold.builder()
                    .uri(redis.uri("app", "secret"))
                    .tls(TlsOptions.trusting(certificates.caPem()))
                    .preflight(Preflight.REFUSE)
                    .build()) {
                assertThat(leasehold.inspector().diagnose())
                        .filteredOn(finding -> finding.subject().equals("rights"))
                        .extracting(Finding::level)
                        .containsExactly(Finding.Level.FINE);
                Lease held = leasehold.lock("x").acquire(Duration.ofSeconds(5));
                assertThat(held.extend(Duration.ofSeconds(40))).isTrue();
                CompletableFuture<Lease> waiter =
                        leasehold.lock("x").acquireAsync().toCompletableFuture();
                await().atMost(Calls.LIMIT)
                        .until(
                                () -> redis.command("PUBSUB", "CHANNELS", "leasehold:w:*"),
                                channels -> !List.of().equals(channels));
                held.release();
                waiter.get(10, TimeUnit.SECONDS).release();
            }
        }
    }

    static List<String> rights() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve(".ci"))) {
            root = root.getParent();
        }
        List<String> rights = COMMAND.matcher(Files.readString(root.resolve("docs/operations.md")))
                .results()
                .flatMap(command -> Stream.of(command.group(1).split(" ")))
                .toList();
        assertThat(rights).as("the commands in docs/operations.md").isNotEmpty();
        return rights;
    }
}
