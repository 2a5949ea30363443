package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.key.Slots;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a cluster node to a call that another node must execute.
 *
 * @param asking whether only this call is to go there (ASK), not all of the slot (MOVED)
 * @param slot of the call's key
 * @param to the node that must execute it
 */
record Redirection(boolean asking, int slot, RedisAddress to) {

    private static final Pattern REPLY = Pattern.compile("(MOVED|ASK) (\\d{1,5}) (\\S*):(\\d{1,5})");

    /**
     * Reads an error reply.
     *
     * @param refusal the error reply
     * @param asked the host of the node that said so, which stands in for one that it does not know
     * @return null if it is no redirection
     */
    static @Nullable Redirection of(RedisErrorException refusal, String asked) {
        Matcher reply = REPLY.matcher(String.valueOf(refusal.getMessage()));
        if (!reply.matches()) {
            return null;
        }
        int slot = Integer.parseInt(reply.group(2));
        String host = reply.group(3);
        RedisAddress to = new RedisAddress(host.isEmpty() ? asked : host, Integer.parseInt(reply.group(4)));
        return slot < Slots.COUNT ? new Redirection(reply.group(1).equals("ASK"), slot, to) : null;
    }
}
