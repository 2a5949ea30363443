package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.script.Scripts;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Finds out whether scripts are atomic. While one reads a field some hundred times, over the connection for batches, another
 * changes that field, over the connection for callers: an atomic script never sees it change. All rounds together take about a
 * millisecond of the server's time, as health checks run them often, and leave a key that expires.
 */
final class AtomicityProbe {

    private static final int ROUNDS = 4;
    private static final int READS = 500;
    private static final int MAX_CHANGES = 1_000;
    private static final String CHANGED = "changed";

    private static final Script READ = Scripts.of("atomicity_read", """
            local first = redis.call('HGET', KEYS[1], 'n')
            for i = 1, tonumber(ARGV[1]) do
              if redis.call('HGET', KEYS[1], 'n') ~= first then
                return {'changed'}
              end
            end
            return {'unchanged'}
            """);

    private static final Script CHANGE = Scripts.of("atomicity_change", """
            local now = redis.call('TIME')
            redis.call('HINCRBY', KEYS[1], 'n', 1)
            redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', (now[1] + 2) * 1000))
            return {'changed'}
            """);

    private final ServerQueries queries;

    AtomicityProbe(ServerQueries queries) {
        this.queries = queries;
    }

    /**
     * Runs the probe.
     *
     * @param key finds a key of a node that answers
     */
    void check(List<Finding> findings, Supplier<LockKey> key) {
        try {
            findings.add(
                    atomic(key.get().key())
                            ? new Finding(Level.FINE, "atomicity", "Scripts are atomic.", "")
                            : new Finding(
                                    Level.DANGER,
                                    PreflightCheck.NEVER_SAFE,
                                    "Scripts are not atomic: another connection changed a key while a script ran, so that two "
                                            + "clients may be granted one lock.",
                                    "Start Garnet with --lua-transaction-mode, or Dragonfly without disable-atomicity in "
                                            + "default_lua_flags."));
        } catch (RedisErrorException e) {
            findings.add(new Finding(
                    Level.WARNING,
                    "atomicity",
                    "Whether scripts are atomic was not checked: " + e.getMessage() + ".",
                    ErrorReactions.isNotPermitted(e)
                            ? RefusalAdvice.ofScript(e) + "."
                            : "Ask again when Redis grants locks."));
        }
    }

    private boolean atomic(String key) {
        RedisTransport transport = queries.transport();
        // Opens the connection and makes the script known, so that the next call runs when it arrives.
        queries.await(read(transport, key, 0));
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<List<String>> reading = read(transport, key, READS);
            for (int n = 0; n < MAX_CHANGES && !reading.isDone(); n++) {
                queries.await(transport.eval(call(CHANGE, key, List.of())));
            }
            if (queries.await(reading).contains(CHANGED)) {
                return false;
            }
        }
        return true;
    }

    private CompletableFuture<List<String>> read(RedisTransport transport, String key, int times) {
        return transport
                .evalBatch(List.of(call(READ, key, List.of(Integer.toString(times)))))
                .get(0)
                .toCompletableFuture();
    }

    private ScriptCall call(Script script, String key, List<String> args) {
        return new ScriptCall(script, List.of(key), args, queries.timeout().toNanos());
    }
}
