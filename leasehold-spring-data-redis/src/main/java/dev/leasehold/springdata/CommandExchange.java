package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection used by one caller, which waits no longer than its deadline. */
final class CommandExchange {

    private final Wire wire;
    private final String address;
    private final TimeSource time;
    private final long until;

    CommandExchange(Wire wire, String address, TimeSource time, long until) {
        this.wire = wire;
        this.address = address;
        this.time = time;
        this.until = until;
    }

    /** The same with one node of a cluster. */
    CommandExchange with(RedisNode node) {
        return new CommandExchange(wire.to(node, left()), address, time, until);
    }

    /** Calls a script by its digest, and whole if the server does not know it: then it has not run. */
    List<String> eval(ScriptCall call) {
        Answer answer = exchange(Request.byDigest(call));
        return Replies.strings(answer.isUnknownScript() ? ask(Request.whole(call)) : answer.orThrow());
    }

    @Nullable
    Object ask(Request request) {
        return exchange(request).orThrow();
    }

    private Answer exchange(Request request) {
        Answer answer = wire.exchange(List.of(request), left()).get(0);
        if (answer.isOfFormerPrimary()) {
            wire.close();
        }
        return answer;
    }

    private long left() {
        long left = until - time.nanoTime();
        if (left <= 0) {
            throw new TransportException("no time was left to send a command to Redis at " + address, false, null);
        }
        return left;
    }
}
