package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code combined.lua}: acquires locks that are free and releases holds in the usual case, for several callers at once. */
public final class CombinedScript implements ScriptBinding<CombinedScript.Request, CombinedScript.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("combined");

    private static final String BUSY = "busy:";
    private static final int WORDS_BEFORE_RESULTS = 2;

    private final AcquireFreeScript acquireFree;

    CombinedScript(AcquireFreeScript acquireFree) {
        this.acquireFree = acquireFree;
    }

    /**
     * Requests of several callers, no two of them about the same lock. Each is judged as if it were alone.
     *
     * @param releases usual releases, as {@link ScriptBindings#combines} says
     */
    public record Request(List<AcquireFreeLock> acquisitions, List<ReleaseHold> releases, long timeoutNanos)
            implements StoreRequest<Answer> {}

    /**
     * The answers, in the order of the requests.
     *
     * @param released the answers to the releases; empty for one that is to be sent alone, because its hold is in another state
     */
    public record Answer(ServerTime now, List<AcquireHold.Answer> acquired, List<Optional<ReleaseHold.Answer>> released)
            implements StoreAnswer {}

    /** The first word of a reply. */
    enum Code {
        ALL,
        EACH
    }

    @Override
    public ScriptCall call(Request request) {
        int acquisitions = request.acquisitions().size();
        int releases = request.releases().size();
        List<String> keys = new ArrayList<>(acquisitions + releases);
        List<String> args = new ArrayList<>(1 + acquisitions * AcquireFreeScript.ARGUMENTS + releases);
        args.add(Integer.toString(acquisitions));
        for (AcquireFreeLock acquisition : request.acquisitions()) {
            keys.add(acquisition.key().key());
            acquireFree.addTo(args, acquisition);
        }
        for (ReleaseHold release : request.releases()) {
            keys.add(release.key().key());
            args.add(release.id().value());
        }
        return new ScriptCall(SCRIPT, keys, args, request.timeoutNanos());
    }

    @Override
    public Answer read(Request request, List<String> reply) {
        List<String> words = reply.size() == 1 ? List.of(reply.get(0).split(" ")) : reply;
        Code code = Reply.code(Code.class, words);
        ServerTime now = Reply.now(words);
        int acquisitions = request.acquisitions().size();
        int entries = acquisitions + request.releases().size();
        List<String> results = words.subList(WORDS_BEFORE_RESULTS, words.size());
        if (results.size() != (code == Code.ALL ? 0 : entries)) {
            throw new IllegalStateException(
                    "a script answered with " + results.size() + " words to " + entries + " entries");
        }
        List<AcquireHold.Answer> acquired = new ArrayList<>(acquisitions);
        for (int n = 0; n < acquisitions; n++) {
            LeaseSpan lease = request.acquisitions().get(n).lease();
            acquired.add(acquired(code == Code.ALL ? "granted" : results.get(n), now, lease));
        }
        List<Optional<ReleaseHold.Answer>> released = new ArrayList<>(entries - acquisitions);
        for (int n = acquisitions; n < entries; n++) {
            released.add(released(code == Code.ALL ? "released" : results.get(n), now));
        }
        return new Answer(now, acquired, released);
    }

    private static AcquireHold.Answer acquired(String word, ServerTime now, LeaseSpan lease) {
        if (word.startsWith(BUSY)) {
            long left = Reply.nanos(word.substring(BUSY.length()));
            return new AcquireHold.Answer(AcquireHold.Code.BUSY, now, left, 0, "");
        }
        return switch (word) {
            case "granted" -> new AcquireHold.Answer(AcquireHold.Code.GRANTED, now, lease.nanos(), now.micros(), "");
            case "undecided" -> new AcquireHold.Answer(AcquireHold.Code.UNDECIDED, now, 0, 0, "");
            default -> throw Reply.unknown(word);
        };
    }

    private static Optional<ReleaseHold.Answer> released(String word, ServerTime now) {
        return switch (word) {
            case "released" -> Optional.of(new ReleaseHold.Answer(ReleaseHold.Code.RELEASED, now, ""));
            case "undecided" -> Optional.empty();
            default -> throw Reply.unknown(word);
        };
    }
}
