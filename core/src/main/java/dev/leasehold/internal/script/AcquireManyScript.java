package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code acquire_many.lua}: enters holds of several locks, one after another, until one is not granted. */
public final class AcquireManyScript implements ScriptBinding<AcquireHolds, AcquireHolds.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire_many");

    private static final String UNTRIED = "untried";
    private static final String FAILED = "failed";
    /** The one outcome whose detail may contain a blank. */
    private static final String FOREIGN = "foreign";

    private final ScriptBinding<AcquireHold, AcquireHold.Answer> acquire;

    AcquireManyScript(ScriptBinding<AcquireHold, AcquireHold.Answer> acquire) {
        this.acquire = acquire;
    }

    /** The first word of a reply. */
    enum Code {
        EACH
    }

    @Override
    public ScriptCall call(AcquireHolds request) {
        List<ScriptCall> calls = request.holds().stream().map(acquire::call).toList();
        List<String> keys = new ArrayList<>();
        List<String> args = new ArrayList<>();
        args.add(Arg.of(request.whole()));
        args.add(Integer.toString(calls.get(0).args().size()));
        for (ScriptCall one : calls) {
            keys.addAll(one.keys());
            args.addAll(one.args());
        }
        return new ScriptCall(SCRIPT, keys, args, request.timeoutNanos());
    }

    @Override
    public AcquireHolds.Answer read(AcquireHolds request, List<String> reply) {
        Code unused = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        List<AcquireHold> holds = request.holds();
        if (reply.size() != 2 + 2 * holds.size()) {
            throw new IllegalStateException(
                    "a script answered with " + reply.size() + " words about " + holds.size() + " locks");
        }
        List<EntryResult<AcquireHold.Answer>> results = new ArrayList<>();
        for (int n = 0; n < holds.size(); n++) {
            results.add(result(holds.get(n), now, reply.get(2 + 2 * n), reply.get(3 + 2 * n)));
        }
        return new AcquireHolds.Answer(now, results);
    }

    private EntryResult<AcquireHold.Answer> result(AcquireHold hold, ServerTime now, String outcome, String detail) {
        return switch (outcome) {
            case UNTRIED -> EntryResult.untried();
            case FAILED -> EntryResult.failed(new RedisErrorException(detail));
            default -> {
                List<String> words = new ArrayList<>(List.of(outcome, Arg.of(now)));
                if (!detail.isEmpty()) {
                    words.addAll(outcome.equals(FOREIGN) ? List.of(detail) : List.of(detail.split(" ", -1)));
                }
                yield Reply.entry(() -> acquire.read(hold, words));
            }
        };
    }
}
