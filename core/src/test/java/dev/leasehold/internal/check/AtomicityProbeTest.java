package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Garnet cannot run here: two servers in memory stand for it, one that runs scripts as a whole and one that does not. */
class AtomicityProbeTest {

    private static List<Finding> findings(RedisTransport server) {
        List<Finding> findings = new ArrayList<>();
        ServerQueries queries = new ServerQueries(server, Duration.ofSeconds(30));
        new AtomicityProbe(queries).check(findings, () -> LockKey.of(new KeyPrefix("p"), "probe"));
        return findings;
    }

    @Test
    void aServerThatServesOthersDuringAScriptIsNeverSafe() {
        assertThat(findings(new Interleaving(true))).singleElement().satisfies(danger -> {
            assertThat(PreflightCheck.neverSafe(danger)).isTrue();
            assertThat(danger.level()).isEqualTo(Level.DANGER);
            assertThat(danger.text()).contains("not atomic");
            assertThat(danger.remedy()).contains("--lua-transaction-mode");
        });
    }

    @Test
    void aServerThatServesOthersAfterTheScriptIsSound() {
        assertThat(findings(new Interleaving(false)))
                .containsExactly(new Finding(Level.FINE, "atomicity", "Scripts are atomic.", ""));
    }

    @Test
    void aRefusedScriptProvesNothing() {
        assertThat(findings(new DescribedServer("10.0.0.7", "")))
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.level()).isEqualTo(Level.WARNING);
                    assertThat(warning.text()).contains("not checked", "NOPERM");
                });
    }

    /** Answers the script that reads when the other has arrived: as one that saw its write, or did not. */
    private static final class Interleaving implements RedisTransport {

        private final boolean inParts;
        private CompletableFuture<List<String>> reading = CompletableFuture.completedFuture(List.of());

        Interleaving(boolean inParts) {
            this.inParts = inParts;
        }

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            reading.complete(List.of(inParts ? "changed" : "unchanged"));
            return CompletableFuture.completedFuture(List.of("changed"));
        }

        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
            reading = calls.get(0).args().equals(List.of("0"))
                    ? CompletableFuture.completedFuture(List.of("unchanged"))
                    : new CompletableFuture<>();
            return List.of(reading);
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            throw new RedisErrorException("ERR not used");
        }

        @Override
        public CompletionStage<ServerDescription> describe() {
            throw new RedisErrorException("ERR not used");
        }

        @Override
        public CompletionStage<Object> command(RedisNode node, List<String> args) {
            throw new RedisErrorException("ERR not used");
        }

        @Override
        public void close() {}
    }
}
