package dev.leasehold.jedis;

import dev.leasehold.spi.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.commands.ProtocolCommand;

/** Commands as Jedis sends them. */
final class Commands {

    /** Before a call that another server of a cluster sent here for this once. */
    static final CommandArguments ASKING = new CommandArguments(Command.ASKING);

    private Commands() {}

    static CommandArguments evalsha(ScriptCall call) {
        return eval(Command.EVALSHA, call.script().sha1(), call);
    }

    static CommandArguments evalWhole(ScriptCall call) {
        return eval(Command.EVAL, call.script().body(), call);
    }

    private static CommandArguments eval(Command command, String script, ScriptCall call) {
        CommandArguments arguments =
                new CommandArguments(command).add(script).add(call.keys().size());
        for (String key : call.keys()) {
            arguments.key(key);
        }
        for (String arg : call.args()) {
            arguments.add(arg);
        }
        return arguments;
    }

    /** Any command, by its name. */
    static CommandArguments of(List<String> words) {
        CommandArguments arguments = new CommandArguments(new Name(words.get(0)));
        words.subList(1, words.size()).forEach(arguments::add);
        return arguments;
    }

    /** Returns the approximate number of characters that a call adds to the output. */
    static int size(ScriptCall call, boolean whole) {
        int size = whole ? call.script().body().length() : call.script().sha1().length();
        for (String key : call.keys()) {
            size += key.length();
        }
        for (String arg : call.args()) {
            size += arg.length();
        }
        return size;
    }

    private record Name(String text) implements ProtocolCommand {

        @Override
        public byte[] getRaw() {
            return text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        }
    }
}
