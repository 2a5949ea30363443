package dev.leasehold.testkit.internal;

import dev.leasehold.spi.ChannelListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server in memory. Not safe for use by several threads: its owner has to lock. */
public final class Server {

    /** The version whose behaviour is imitated. */
    public static final String VERSION = "7.0.15";

    private static final ErrorReply OUT_OF_MEMORY =
            new ErrorReply("OOM command not allowed when used memory > 'maxmemory'.");

    private final List<Runnable> messages = new ArrayList<>();
    private final TrackedKeys tracked = new TrackedKeys(messages::add);
    private final Keyspace keys = new Keyspace(tracked::written);
    private final Map<String, String> scripts = new HashMap<>();
    private final Map<String, List<ChannelListener>> subscribers = new HashMap<>();
    private boolean full;
    private boolean wrote;
    private long evicted;
    private int runs = 1;
    private int failures;
    private ErrorReply failure = OUT_OF_MEMORY;

    /** Returns the run id, a new one after each restart. */
    String runId() {
        return String.format(Locale.ROOT, "%040x", runs);
    }

    /** Runs a command of a client at this moment of the server's clock. */
    public @Nullable Object execute(long micros, List<String> args) {
        Object fault = begin(micros);
        if (fault != null) {
            return fault;
        }
        try {
            return dispatch(args);
        } finally {
            keys.end();
        }
    }

    /**
     * Runs EVALSHA, and EVAL if the script is unknown.
     *
     * @param tracking receives the invalidations of the connection; null if it does not track
     */
    public @Nullable Object eval(
            long micros,
            String sha1,
            String body,
            List<String> keyNames,
            List<String> args,
            @Nullable Consumer<String> tracking) {
        Object fault = begin(micros);
        if (fault != null) {
            return fault;
        }
        String known = scripts.get(sha1);
        tracked.connection(tracking);
        try {
            return known != null
                    ? runScript(sha1, known, keyNames, args)
                    : runScript(Sha1.ofScript(body), body, keyNames, args);
        } finally {
            tracked.connection(null);
            keys.end();
        }
    }

    private @Nullable ErrorReply begin(long micros) {
        keys.begin(micros);
        if (failures > 0) {
            failures--;
            return failure;
        }
        return null;
    }

    private @Nullable Object dispatch(List<String> args) {
        Command command = args.isEmpty() ? null : CommandTable.find(args.get(0));
        if (command == null) {
            return unknown(args);
        }
        if (!command.accepts(args.size())) {
            return new ErrorReply(
                    "ERR wrong number of arguments for '" + args.get(0).toLowerCase(Locale.ROOT) + "' command");
        }
        if (full && command.is(Command.Flag.DENY_OOM)) {
            return OUT_OF_MEMORY;
        }
        return command.body().run(this, args);
    }

    private static ErrorReply unknown(List<String> args) {
        StringBuilder text = new StringBuilder("ERR unknown command '")
                .append(args.isEmpty() ? "" : args.get(0))
                .append("', with args beginning with: ");
        args.stream().skip(1).forEach(arg -> text.append('\'').append(arg).append("' "));
        return new ErrorReply(text.toString());
    }

    @Nullable
    Object runScript(String sha1, String body, List<String> keyNames, List<String> args) {
        if (!scripts.containsKey(sha1)) {
            ErrorReply problem = LuaScripts.check(sha1, body);
            if (problem != null) {
                return problem;
            }
            scripts.put(sha1, body);
        }
        wrote = false;
        return LuaScripts.run(sha1, body, keyNames, args, this::callFromScript);
    }

    private @Nullable Object callFromScript(List<String> args) {
        Command command = CommandTable.find(args.get(0));
        if (command == null) {
            return new ErrorReply("ERR Unknown Redis command called from script");
        }
        if (!command.accepts(args.size())) {
            return new ErrorReply("ERR Wrong number of args calling Redis command from script");
        }
        if (command.is(Command.Flag.NO_SCRIPT)) {
            return new ErrorReply("ERR This Redis command is not allowed from script");
        }
        if (full && !wrote && command.is(Command.Flag.DENY_OOM)) {
            return OUT_OF_MEMORY;
        }
        wrote |= command.is(Command.Flag.WRITE);
        return command.body().run(this, args);
    }

    /** A connection reads these keys so that it hears of their next change. */
    public void track(List<String> names, Consumer<String> tracking) {
        tracked.read(names, tracking);
    }

    /** A connection that tracks keys has ended. */
    public void untrack(Consumer<String> tracking) {
        tracked.forget(tracking);
    }

    Keyspace keys() {
        return keys;
    }

    Map<String, String> scripts() {
        return scripts;
    }

    long evicted() {
        return evicted;
    }

    long publish(String channel, String message) {
        List<ChannelListener> listeners = subscribers.getOrDefault(channel, List.of());
        listeners.forEach(listener -> messages.add(() -> listener.message(message)));
        return listeners.size();
    }

    /** Registers for a channel. */
    public void subscribe(String channel, ChannelListener listener) {
        subscribers.computeIfAbsent(channel, name -> new ArrayList<>()).add(listener);
    }

    /** Forgets one registration. */
    public void unsubscribe(String channel, ChannelListener listener) {
        List<ChannelListener> listeners = subscribers.get(channel);
        if (listeners != null && listeners.remove(listener) && listeners.isEmpty()) {
            subscribers.remove(channel);
        }
    }

    /** Returns the messages published since the last call, for delivery by the server's owner. */
    public List<Runnable> takeMessages() {
        if (messages.isEmpty()) {
            return List.of();
        }
        List<Runnable> taken = List.copyOf(messages);
        messages.clear();
        return taken;
    }

    /** Deletes a key as an eviction under memory pressure would. */
    public void evict(long micros, String key) {
        keys.begin(micros);
        if (keys.delete(key)) {
            evicted++;
        }
        keys.end();
    }

    /** Sets whether the memory is used up. */
    public void outOfMemory(boolean isFull) {
        full = isFull;
    }

    /** Makes the next commands do nothing and answer with this error. */
    public void failNext(int commands, String error) {
        failures = commands;
        failure = new ErrorReply(error);
    }

    /** Forgets all scripts, as after SCRIPT FLUSH. */
    public void flushScripts() {
        scripts.clear();
    }

    /** Restarts the server. */
    public void restart(boolean keepData) {
        runs++;
        tracked.clear();
        scripts.clear();
        failures = 0;
        if (!keepData) {
            keys.forgetAll();
        }
    }

    /** Fails over to a replica that has not received the latest writing commands. */
    public void failOver(int lostWrites) {
        tracked.clear();
        scripts.clear();
        failures = 0;
        keys.undo(lostWrites);
    }

    /** Returns the number of writing commands so far, whatever was lost since. */
    public long writes() {
        return keys.writes();
    }

    /** Returns the keys that have not expired at this moment. */
    public Set<String> keys(long micros) {
        keys.begin(micros);
        return keys.keys();
    }

    /** Returns a copy of the hash under a key; empty if there is none. */
    public Map<String, String> hash(long micros, String key) {
        keys.begin(micros);
        Entry entry = keys.peek(key);
        Map<String, String> hash = entry == null ? null : entry.hash();
        return hash == null ? Map.of() : new LinkedHashMap<>(hash);
    }

    /** Returns the expiry of a key, in ms since the epoch; -1 if it has none, -2 if there is no such key. */
    public long expiresAtMillis(long micros, String key) {
        keys.begin(micros);
        Entry entry = keys.peek(key);
        return entry == null ? -2 : entry.expiresAtMillis();
    }
}
