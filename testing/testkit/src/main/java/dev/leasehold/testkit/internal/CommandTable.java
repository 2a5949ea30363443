package dev.leasehold.testkit.internal;

import static dev.leasehold.testkit.internal.Command.Flag.DENY_OOM;
import static dev.leasehold.testkit.internal.Command.Flag.NO_SCRIPT;
import static dev.leasehold.testkit.internal.Command.Flag.WRITE;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands by name, with the numbers and flags that COMMAND INFO of Redis 7.0 shows. */
final class CommandTable {

    private static final Map<String, Command> COMMANDS = new HashMap<>();

    static {
        hashes();
        keys();
        strings();
        server();
    }

    private CommandTable() {}

    private static void hashes() {
        add("HGET", 3, HashCommands::get);
        add("HMGET", -3, HashCommands::getMany);
        add("HGETALL", 2, HashCommands::getAll);
        add("HKEYS", 2, HashCommands::fields);
        add("HVALS", 2, HashCommands::values);
        add("HLEN", 2, HashCommands::length);
        add("HSCAN", -3, HashCommands::scan);
        add("HEXISTS", 3, HashCommands::exists);
        add("HSET", -4, HashCommands::set, WRITE, DENY_OOM);
        add("HSETNX", 4, HashCommands::setIfAbsent, WRITE, DENY_OOM);
        add("HINCRBY", 4, HashCommands::increment, WRITE, DENY_OOM);
        add("HDEL", -3, HashCommands::delete, WRITE);
    }

    private static void keys() {
        add("TYPE", 2, KeyCommands::type);
        add("EXISTS", -2, KeyCommands::exists);
        add("DEL", -2, KeyCommands::delete, WRITE);
        add("UNLINK", -2, KeyCommands::delete, WRITE);
        add("KEYS", 2, KeyCommands::keys);
        add("SCAN", -2, KeyCommands::scan);
        add("DBSIZE", 1, KeyCommands::size);
        add("FLUSHALL", -1, KeyCommands::flush, WRITE);
        add("FLUSHDB", -1, KeyCommands::flush, WRITE);
        add("PEXPIREAT", -3, (server, args) -> ExpiryCommands.expire(server, args, 1, false), WRITE);
        add("EXPIREAT", -3, (server, args) -> ExpiryCommands.expire(server, args, 1000, false), WRITE);
        add("PEXPIRE", -3, (server, args) -> ExpiryCommands.expire(server, args, 1, true), WRITE);
        add("EXPIRE", -3, (server, args) -> ExpiryCommands.expire(server, args, 1000, true), WRITE);
        add("PERSIST", 2, ExpiryCommands::persist, WRITE);
        add("PTTL", 2, (server, args) -> ExpiryCommands.left(server, args, 1, true));
        add("TTL", 2, (server, args) -> ExpiryCommands.left(server, args, 1000, true));
        add("PEXPIRETIME", 2, (server, args) -> ExpiryCommands.left(server, args, 1, false));
        add("EXPIRETIME", 2, (server, args) -> ExpiryCommands.left(server, args, 1000, false));
    }

    private static void strings() {
        add("GET", 2, StringCommands::get);
        add("SET", -3, StringCommands::set, WRITE, DENY_OOM);
        add("INCR", 2, StringCommands::increment, WRITE, DENY_OOM);
        add("INCRBY", 3, StringCommands::increment, WRITE, DENY_OOM);
    }

    private static void server() {
        add("TIME", 1, ServerCommands::time);
        add("PING", -1, ServerCommands::ping);
        add("ECHO", 2, (server, args) -> args.get(1));
        add("INFO", -1, ServerCommands::info);
        add("PUBLISH", 3, ServerCommands::publish);
        add("WAIT", 3, (server, args) -> 0L, NO_SCRIPT);
        add("SCRIPT", -2, ServerCommands::script, NO_SCRIPT);
        add("EVAL", -3, ServerCommands::eval, NO_SCRIPT);
        add("EVALSHA", -3, ServerCommands::evalSha, NO_SCRIPT);
        for (String name : List.of("SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "MULTI", "EXEC", "AUTH", "CONFIG")) {
            add(name, -1, ServerCommands::unsupported, NO_SCRIPT);
        }
    }

    private static void add(String name, int arity, Command.Body body, Command.Flag... flags) {
        Set<Command.Flag> set = EnumSet.noneOf(Command.Flag.class);
        set.addAll(List.of(flags));
        COMMANDS.put(name, new Command(arity, set, body));
    }

    static @Nullable Command find(String name) {
        Command command = COMMANDS.get(name);
        return command != null ? command : COMMANDS.get(name.toUpperCase(Locale.ROOT));
    }
}
