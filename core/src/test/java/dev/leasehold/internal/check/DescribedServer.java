package dev.leasehold.internal.check;

import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.TlsOptions;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.LockFormats;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A server that is nothing but the text of its INFO, in all sections, and its host name. For servers and services that cannot
 * run here: their texts are those of their documentation or source.
 */
final class DescribedServer implements RedisTransport {

    private final String host;
    private final String info;
    private final Map<String, Object> answers;

    DescribedServer(String host, String info) {
        this(host, info, Map.of());
    }

    /**
     * Creates the server.
     *
     * @param answers the replies to further commands, by their words
     */
    DescribedServer(String host, String info, Map<String, Object> answers) {
        this.host = host;
        this.info = info;
        this.answers = answers;
    }

    /** Returns what the check at connect finds out by asking, without its probes. */
    List<Finding> findings() {
        PreflightCheck check = new PreflightCheck(new ServerQueries(this, Duration.ofSeconds(5)), config());
        check.inspect(List.of(new RedisNode(host, 6379, true)));
        return check.findings();
    }

    ClientConfig config() {
        return new ClientConfig(
                null,
                () -> this,
                new KeyPrefix("leasehold"),
                null,
                LockOptions.defaults(),
                List.of(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofDays(1),
                Duration.ofMinutes(1),
                TlsOptions.defaults(),
                null,
                Preflight.WARN,
                null,
                null,
                null,
                null,
                null,
                false,
                new LockFormats(Map.of()),
                false);
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return CompletableFuture.failedFuture(new RedisErrorException("NOPERM"));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return calls.stream().map(this::eval).toList();
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return CompletableFuture.failedFuture(new RedisErrorException("NOPERM"));
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return CompletableFuture.completedFuture(new ServerDescription(
                "7.0.15", List.of(new RedisNode(host, 6379, true)), Set.of(Capability.CALLS_ACROSS_SLOTS)));
    }

    @Override
    public CompletionStage<Object> command(RedisNode node, List<String> args) {
        Object usual = switch (args.get(0)) {
            case "INFO" -> info;
            case "TIME" -> List.of("1795241727", "0");
            default -> "";
        };
        Object answer = answers.getOrDefault(String.join(" ", args), usual);
        return answer.equals("")
                ? CompletableFuture.failedFuture(new RedisErrorException("ERR unknown command '" + args.get(0) + "'"))
                : CompletableFuture.completedFuture(answer);
    }

    @Override
    public void close() {}
}
