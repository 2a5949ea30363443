package dev.leasehold.internal.script;

import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code look_many.lua}: the heartbeats of positions in the queues of several locks. */
public final class LookManyScript implements ScriptBinding<SendHeartbeats, SendHeartbeats.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("look_many");

    private final String memory;

    LookManyScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    /** The first word of a reply. */
    enum Code {
        EACH
    }

    @Override
    public ScriptCall call(SendHeartbeats request) {
        List<String> keys = new ArrayList<>(request.entries().size());
        List<String> args = new ArrayList<>(1 + request.entries().size());
        args.add(memory);
        for (SendHeartbeats.Entry entry : request.entries()) {
            keys.add(entry.key().key());
            args.add(entry.waiter().position() + " " + entry.waiter().channel());
        }
        return new ScriptCall(SCRIPT, keys, args, request.timeoutNanos());
    }

    @Override
    public SendHeartbeats.Answer read(SendHeartbeats request, List<String> reply) {
        Code unused = Reply.code(Code.class, reply);
        int entries = request.entries().size();
        List<String> words = reply.subList(2, reply.size());
        if (words.size() != 2 * entries) {
            throw new IllegalStateException(
                    "a script answered with " + words.size() + " words to " + entries + " entries");
        }
        List<SendHeartbeats.Result> results = new ArrayList<>(entries);
        for (int n = 0; n < entries; n++) {
            results.add(result(words.get(2 * n), words.get(2 * n + 1)));
        }
        return new SendHeartbeats.Answer(Reply.now(reply), results);
    }

    private static SendHeartbeats.Result result(String outcome, String detail) {
        SendHeartbeats.Code code = Reply.code(SendHeartbeats.Code.class, outcome);
        long left = code == SendHeartbeats.Code.HEAD ? Reply.nanos(detail) : 0;
        return new SendHeartbeats.Result(code, left);
    }
}
