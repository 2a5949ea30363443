package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of the server itself, scripts among them. */
final class ServerCommands {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final ErrorReply NO_SCRIPT = new ErrorReply("NOSCRIPT No matching script. Please use EVAL.");

    private ServerCommands() {}

    static Object time(Server server, List<String> args) {
        long micros = server.keys().nowMicros();
        return List.of(Long.toString(micros / MICROS_PER_SECOND), Long.toString(micros % MICROS_PER_SECOND));
    }

    static Object ping(Server server, List<String> args) {
        return args.size() > 1 ? args.get(1) : new StatusReply("PONG");
    }

    static Object info(Server server, List<String> args) {
        return String.join(
                "\r\n",
                "# Server",
                "redis_version:" + Server.VERSION,
                "redis_mode:standalone",
                "run_id:" + server.runId(),
                "",
                "# Memory",
                "maxmemory:0",
                "maxmemory_policy:noeviction",
                "",
                "# Persistence",
                "loading:0",
                "aof_enabled:1",
                "",
                "# Stats",
                "evicted_keys:" + server.evicted(),
                "",
                "# Replication",
                "role:master",
                "connected_slaves:0",
                "");
    }

    static Object publish(Server server, List<String> args) {
        return server.publish(args.get(1), args.get(2));
    }

    static Object script(Server server, List<String> args) {
        switch (args.get(1).toUpperCase(Locale.ROOT)) {
            case "FLUSH" -> {
                server.scripts().clear();
                return StatusReply.OK;
            }
            case "LOAD" -> {
                String body = args.get(2);
                ErrorReply problem = LuaScripts.check(Sha1.ofScript(body), body);
                if (problem != null) {
                    return problem;
                }
                server.scripts().put(Sha1.ofScript(body), body);
                return Sha1.ofScript(body);
            }
            case "EXISTS" -> {
                return args.subList(2, args.size()).stream()
                        .map(sha1 -> server.scripts().containsKey(sha1.toLowerCase(Locale.ROOT)) ? 1L : 0L)
                        .toList();
            }
            default -> {
                return new ErrorReply("ERR unknown subcommand '" + args.get(1) + "'. Try SCRIPT HELP.");
            }
        }
    }

    static @Nullable Object eval(Server server, List<String> args) {
        return run(server, Sha1.ofScript(args.get(1)), args.get(1), args);
    }

    static @Nullable Object evalSha(Server server, List<String> args) {
        String sha1 = args.get(1).toLowerCase(Locale.ROOT);
        String body = server.scripts().get(sha1);
        return body == null ? NO_SCRIPT : run(server, sha1, body, args);
    }

    private static @Nullable Object run(Server server, String sha1, String body, List<String> args) {
        Long keys = Numbers.parse(args.get(2));
        if (keys == null) {
            return ErrorReply.NOT_AN_INTEGER;
        }
        if (keys > args.size() - 3) {
            return new ErrorReply("ERR Number of keys can't be greater than number of args");
        }
        if (keys < 0) {
            return new ErrorReply("ERR Number of keys can't be negative");
        }
        int firstArg = 3 + keys.intValue();
        return server.runScript(sha1, body, args.subList(3, firstArg), args.subList(firstArg, args.size()));
    }

    static Object unsupported(Server server, List<String> args) {
        return new ErrorReply("ERR the simulated Redis has no " + args.get(0).toUpperCase(Locale.ROOT));
    }
}
