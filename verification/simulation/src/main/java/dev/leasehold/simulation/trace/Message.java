package dev.leasehold.simulation.trace;

import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** One request of a client on its way to Redis and back; all times are true ones, in ns. */
public final class Message {

    private final int client;
    private final ScriptCall call;
    private final long sent;
    private final List<Long> arrivals = new ArrayList<>();
    private String reply = "";
    private long answered = -1;

    /** Begins when it is sent. */
    public Message(int client, ScriptCall call, long sent) {
        this.client = client;
        this.call = call;
        this.sent = sent;
    }

    /** Records that a copy of it was executed; {@code result} is the first word of the reply, or of the error. */
    public void arrived(long at, String result) {
        arrivals.add(at);
        reply = result;
    }

    /** Records that its client received the answer. */
    public void answered(long at) {
        answered = at;
    }

    int client() {
        return client;
    }

    ScriptCall call() {
        return call;
    }

    long sent() {
        return sent;
    }

    List<Long> arrivals() {
        return arrivals;
    }

    String reply() {
        return reply;
    }

    /** Returns when its client received the answer; below 0 if it never did. */
    long answered() {
        return answered;
    }
}
