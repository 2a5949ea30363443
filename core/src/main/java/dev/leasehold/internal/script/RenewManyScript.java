package dev.leasehold.internal.script;

import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code renew_many.lua}, and the same of other formats: renew holds of several locks for the same time, each as if it were
 * alone. A single hold is renewed by the script for one. {@code confirm_many.lua}: only confirms the holds.
 */
public final class RenewManyScript implements ScriptBinding<RenewHolds, RenewHolds.Answer> {

    /** {@code renew_many.lua}, as sent. */
    public static final Script SCRIPT = Scripts.loadTracked("renew_many");

    /** {@code confirm_many.lua}, as sent. */
    public static final Script CONFIRM = Scripts.loadTracked("confirm_many");

    private static final String FAILED = "failed";

    private final Script script;
    private final @Nullable Script confirm;
    private final List<String> memory;
    private final ScriptBinding<RenewHold, RenewHold.Answer> renew;

    private RenewManyScript(
            Script script,
            @Nullable Script confirm,
            List<String> memory,
            ScriptBinding<RenewHold, RenewHold.Answer> renew) {
        this.script = script;
        this.confirm = confirm;
        this.memory = memory;
        this.renew = renew;
    }

    static RenewManyScript ofHashes(TokenMemory memory, ScriptBinding<RenewHold, RenewHold.Answer> renew) {
        return new RenewManyScript(SCRIPT, CONFIRM, List.of(memory.arg()), renew);
    }

    static RenewManyScript of(ForeignScripts scripts) {
        return new RenewManyScript(scripts.renewMany(), null, List.of(), new ForeignScripts.RenewBinding(scripts));
    }

    /** The first word of a reply. */
    enum Code {
        ALL,
        EACH
    }

    @Override
    public ScriptCall call(RenewHolds request) {
        return isAlone(request) ? renew.call(only(request)) : callOfMany(request);
    }

    private boolean isAlone(RenewHolds request) {
        return request.entries().size() == 1 && !confirms(request);
    }

    private boolean confirms(RenewHolds request) {
        return confirm != null && request.lease().equals(LeaseSpan.CONFIRM);
    }

    private static RenewHold only(RenewHolds request) {
        RenewHolds.Entry entry = request.entries().get(0);
        return new RenewHold(entry.key(), entry.id(), request.lease(), request.timeoutNanos());
    }

    private ScriptCall callOfMany(RenewHolds request) {
        List<String> keys = new ArrayList<>(request.entries().size());
        List<String> args = new ArrayList<>(2 + request.entries().size());
        boolean confirms = confirms(request);
        if (!confirms) {
            args.add(Arg.of(request.lease()));
        }
        args.addAll(memory);
        for (RenewHolds.Entry entry : request.entries()) {
            keys.add(entry.key().key());
            args.add(entry.id().value());
        }
        return new ScriptCall(confirms ? Objects.requireNonNull(confirm) : script, keys, args, request.timeoutNanos());
    }

    @Override
    public RenewHolds.Answer read(RenewHolds request, List<String> reply) {
        if (!isAlone(request)) {
            return answerToMany(request, reply);
        }
        RenewHold.Answer answer = renew.read(only(request), reply);
        return new RenewHolds.Answer(answer.now(), List.of(EntryResult.of(answer)));
    }

    private static RenewHolds.Answer answerToMany(RenewHolds request, List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        int entries = request.entries().size();
        List<String> words = reply.subList(2, reply.size());
        if (words.size() != (code == Code.ALL ? 0 : 2 * entries)) {
            throw new IllegalStateException(
                    "a script answered with " + words.size() + " words to " + entries + " entries");
        }
        if (code == Code.ALL) {
            RenewHold.Answer each = RenewScript.answer(RenewHold.Code.RENEWED, now, Arg.of(request.lease()));
            return new RenewHolds.Answer(now, Collections.nCopies(entries, EntryResult.of(each)));
        }
        List<EntryResult<RenewHold.Answer>> results = new ArrayList<>(entries);
        for (int n = 0; n < entries; n++) {
            results.add(result(words.get(2 * n), now, words.get(2 * n + 1)));
        }
        return new RenewHolds.Answer(now, results);
    }

    private static EntryResult<RenewHold.Answer> result(String outcome, ServerTime now, String detail) {
        return outcome.equals(FAILED)
                ? EntryResult.failed(new RedisErrorException(detail))
                : Reply.entry(() -> RenewScript.answer(Reply.code(RenewHold.Code.class, outcome), now, detail));
    }
}
