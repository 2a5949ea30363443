package dev.leasehold.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Commands to the embedded server, each over its own connection that nothing else disturbs. Thread-safe. */
final class RedisAdmin {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String host;
    private final int port;
    private final String password;
    private final Map<String, Long> own = new ConcurrentHashMap<>();

    RedisAdmin(String host, int port, String password) {
        this.host = host;
        this.port = port;
        this.password = password;
    }

    @Nullable
    Object command(String... args) {
        try {
            return send(args);
        } catch (IOException e) {
            throw noAnswer(args[0], e);
        }
    }

    /** Executes all or none of these commands, with no activity of the server in between. */
    void transaction(List<String[]> commands) {
        List<String[]> all = new ArrayList<>(commands);
        all.add(0, new String[] {"MULTI"});
        all.add(new String[] {"EXEC"});
        Object answer;
        try {
            answer = send(all);
        } catch (IOException e) {
            throw noAnswer("MULTI", e);
        }
        for (Object each : answer instanceof List<?> answers ? answers : List.of()) {
            if (!"OK".equals(each)) {
                throw new RedisReplyException(String.valueOf(each));
            }
        }
    }

    private EmbeddedRedisException noAnswer(String command, IOException cause) {
        return new EmbeddedRedisException(
                "The embedded redis-server on port " + port + " did not answer " + command + ": " + cause
                        + ". Is it paused, killed or busy?",
                cause);
    }

    @Nullable
    Object send(String... args) throws IOException {
        return send(List.<String[]>of(args));
    }

    /** Sends these commands over one connection and returns the answer to the last. */
    private @Nullable Object send(List<String[]> commands) throws IOException {
        try (RespClient client = new RespClient(host, port, TIMEOUT)) {
            client.command("AUTH", EmbeddedRedis.ADMIN, password);
            count("auth");
            Object answer = null;
            for (String[] args : commands) {
                answer = client.command(args);
                count(args);
            }
            return answer;
        }
    }

    private void count(String... args) {
        String name = args[0].toLowerCase(Locale.ROOT);
        own.merge(name, 1L, Long::sum);
        if (args.length > 1) {
            own.merge(name + "|" + args[1].toLowerCase(Locale.ROOT), 1L, Long::sum);
        }
    }

    Map<String, String> info(String section) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : String.valueOf(command("INFO", section)).split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return fields;
    }

    Map<String, Long> commandCounts() {
        Map<String, Long> before = new TreeMap<>(own);
        // The answer already counts the login for the INFO, but not the INFO itself.
        before.merge("auth", 1L, Long::sum);
        Map<String, Long> counts = new TreeMap<>();
        info("commandstats").forEach((field, value) -> {
            String name = field.substring(field.indexOf('_') + 1);
            long calls = callsIn(value) - before.getOrDefault(name, 0L);
            if (calls > 0) {
                counts.put(name, calls);
            }
        });
        return counts;
    }

    /** Parses {@code calls=3,usec=12,...}. */
    private static long callsIn(String value) {
        return Long.parseLong(value.substring(value.indexOf('=') + 1, value.indexOf(',')));
    }

    void resetStats() {
        command("CONFIG", "RESETSTAT");
        // The server counts this command after it has emptied its table.
        own.clear();
        count("config", "resetstat");
    }

    void serverRestarted() {
        own.clear();
    }

    /** Saves all data. An append-only file is complete already; otherwise this writes a snapshot. */
    void saveAll() {
        if (!"1".equals(info("persistence").get("aof_enabled"))) {
            command("SAVE");
        }
    }
}
