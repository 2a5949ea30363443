package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.tck.EchoingServer.Manner;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that repeats what it was sent, or a port that speaks another protocol: no password, no id of a hold and no control character is told. */
@On(Topology.STANDALONE)
class EchoingServerContract extends AnyContract {

    private static final String PASSWORD = "s3cret-of-the-echo";

    /** Some answers of this server are none, and are waited for as long as connecting may take. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    /** How the id of an acquisition looks, between words. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{22}");

    private static EmbeddedRedis redis;

    private final Queue<String> said = new ConcurrentLinkedQueue<>();
    private EchoingServer server;
    private CapturedLog log;

    @BeforeParameterizedClassInvocation
    static void start() {
        redis = EmbeddedRedis.builder().password(PASSWORD).start();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        redis.close();
    }

    @BeforeEach
    void openServer() {
        server = new EchoingServer(redis);
        log = new CapturedLog(getClass());
    }

    @AfterEach
    void findNoSecret() {
        log.close();
        server.close();
        said.addAll(log.messages());
        assertThat(said)
                .isNotEmpty()
                .noneMatch(text -> text.contains(PASSWORD) || text.contains(EchoingServer.ESCAPE))
                .noneMatch(text -> server.echoed().stream()
                        .filter(word -> ID.matcher(word).matches())
                        .anyMatch(text::contains));
    }

    private Leasehold client(Duration connectTimeout) {
        return Leasehold.builder()
                .transport(() -> way().open(settings(server.uri(), connectTimeout)))
                .build();
    }

    private void told(Executable call) {
        Throwable thrown = catchThrowable(call::execute);
        assertThat(thrown).isInstanceOf(RuntimeException.class);
        told(thrown);
    }

    private void recorded(Executable call) {
        Throwable thrown = catchThrowable(call::execute);
        if (thrown != null) {
            told(thrown);
        }
    }

    private void told(Throwable thrown) {
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        said.add(all.toString());
    }

    @ParameterizedTest
    @EnumSource
    void whatRefusesTheLoginTellsNoPassword(Manner manner) {
        server.echo(manner, request -> true);
        // On a busy machine a client may give up before it sends its login.
        ContractBase.await().untilAsserted(() -> {
            told(() -> client(BRIEF).close());
            assertThat(server.echoed()).contains(PASSWORD);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatRefusesTheFirstCommandsTellsNoPassword(Manner manner) {
        server.echo(manner, request -> !request.isLogin() && !request.command().equals("CLIENT"));
        told(() -> client(BRIEF).close());
    }

    @ParameterizedTest
    @EnumSource
    void whatRefusesScriptsTellsNoId(Manner manner) {
        try (Leasehold client = client(TransportCalls.LIMIT)) {
            LockOptions options = LockOptions.builder()
                    .leaseTime(Duration.ofSeconds(3))
                    .renewal(Renewal.afterRatio(0.1))
                    .build();
            Lease held = client.lock("EchoingServerContract:1")
                    .with(options)
                    .tryAcquire()
                    .orElseThrow();
            server.echo(manner, request -> request.command().startsWith("EVAL"));
            told(() -> client.lock("EchoingServerContract:2").tryAcquire());
            told(() -> client.lock("EchoingServerContract:1").inspect());
            ContractBase.await().untilAsserted(() -> told(held::ensureHeld));
            said.addAll(List.of(client.toString(), held.toString()));
            recorded(() -> said.add(Diagnostics.of(client).findings().toString()));
            recorded(held::release);
        }
    }
}
