package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * A Redis that calls itself Garnet, whose scripts are atomic only if it was started so. Without that, the script of the probe that
 * reads is run command by command, over the connection of others.
 */
class ScriptsInPartsIT {

    /** Takes itself for Garnet, and perhaps runs the script that reads in parts. */
    private static RedisTransport garnet(RedisTransport redis, boolean inParts) {
        return (RedisTransport) Proxy.newProxyInstance(
                ScriptsInPartsIT.class.getClassLoader(),
                new Class<?>[] {RedisTransport.class},
                (proxy, method, args) -> {
                    if (inParts && method.getName().equals("evalBatch")) {
                        ScriptCall call = (ScriptCall) ((List<?>) args[0]).get(0);
                        if (call.script().name().equals("atomicity_read")
                                && !call.args().equals(List.of("0"))) {
                            return List.of(readInParts(redis, call.keys().get(0)));
                        }
                    }
                    try {
                        Object answer = method.invoke(redis, args);
                        boolean server = method.getName().equals("command")
                                && List.of("INFO", "server").equals(args[1]);
                        return server
                                ? ((CompletionStage<?>) answer).thenApply(text -> text + "garnet_version:2.2.8\r\n")
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static CompletionStage<List<String>> readInParts(RedisTransport redis, String key) {
        Object first = read(redis, key);
        return CompletableFuture.supplyAsync(() -> {
            await().atMost(TransportCalls.LIMIT).until(() -> read(redis, key), now -> !now.equals(first));
            return List.of("changed");
        });
    }

    private static Object read(RedisTransport redis, String key) {
        return String.valueOf(TransportCalls.answer(redis.command(null, List.of("HGET", key, "n"))));
    }

    @Test
    void aServerThatServesOthersDuringAScriptIsRefused() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RedisTransport transport = LettuceTransport.create(TransportCalls.settings(redis.uri()))) {
            assertThatThrownBy(() -> Leasehold.builder()
                            .transport(garnet(transport, true))
                            .build())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("Scripts are not atomic")
                    .hasMessageContaining("--lua-transaction-mode");
        }
    }

    @Test
    void theSameServerIsAcceptedIfItRunsScriptsAsAWhole() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RedisTransport transport = LettuceTransport.create(TransportCalls.settings(redis.uri()));
                Leasehold leasehold =
                        Leasehold.builder().transport(garnet(transport, false)).build();
                Lease lease = leasehold.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(Diagnostics.of(leasehold).findings())
                    .contains(new Finding(Level.FINE, "atomicity", "Scripts are atomic.", ""))
                    .anyMatch(finding -> finding.text().startsWith("Garnet runs scripts only with --lua"));
        }
    }
}
