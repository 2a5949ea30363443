package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The holds that a majority of the servers of a quorum has, read from the servers after each script and fault. A try of an acquisition
 * counts as granted from the moment when a majority has its hold, whether or not its client learns of that.
 */
final class QuorumTruth {

    private static final int LABEL = 6;
    private static final int HOLDER = 5;

    private final World world;
    private final History history;
    private final List<SimulatedRedis> servers;
    private final List<ServerClock> clocks;
    private final Map<String, Try> tries = new HashMap<>();

    /** One try of an acquisition, by its id on the servers. */
    private static final class Try {
        final String id;
        final int op;
        final int client;
        final String key;
        boolean granted;
        /** Until when a majority has it, in true time; 0 if none does. */
        long until;

        Try(String id, int op, int client, String key) {
            this.id = id;
            this.op = op;
            this.client = client;
            this.key = key;
        }
    }

    QuorumTruth(World world, History history, List<SimulatedRedis> servers, List<ServerClock> clocks) {
        this.world = world;
        this.history = history;
        this.servers = servers;
        this.clocks = clocks;
    }

    /** Returns what observes the server of this number. */
    ServerObserver of(int server) {
        return new ServerObserver() {
            @Override
            public void executed(Answered one) {
                QuorumTruth.this.executed(server, one);
            }

            @Override
            public void struck(FaultKind kind, long step) {
                tries.values().forEach(each -> read(each, What.SERVER_GONE));
            }
        };
    }

    private void executed(int server, Answered one) {
        switch (one.script() + " " + one.word()) {
            case "quorum_acquire granted", "quorum_acquire young" -> {
                Try entered = tries.computeIfAbsent(one.id(), id -> entered(one));
                if (one.word().equals("granted")) {
                    add(entered, What.QUORUM_GRANTED, server, 0);
                }
                read(entered, What.SERVER_GONE);
            }
            case "renew renewed", "renew asked", "release released", "release ended" -> {
                Try known = tries.get(one.id());
                if (known != null) {
                    read(known, What.SERVER_RELEASED);
                }
            }
            default -> {}
        }
    }

    private static Try entered(Answered one) {
        String holder = one.args().get(HOLDER);
        return new Try(
                one.id(),
                Integer.parseInt(one.args().get(LABEL).substring(ServerTruth.LABEL.length())),
                Integer.parseInt(holder.substring(0, holder.indexOf('@'))),
                one.key());
    }

    /** Records what has changed for a try; if no majority has it any more, this is why. */
    private void read(Try each, What lost) {
        long until = until(each);
        if (until > world.now()) {
            if (!each.granted || until != each.until) {
                add(each, each.granted ? What.SERVER_RENEWED : What.SERVER_GRANTED, 0, until);
            }
            each.granted = true;
        } else if (each.until > world.now()) {
            add(each, lost, 0, 0);
        }
        each.until = until;
    }

    /** Returns until when a majority has the hold; 0 if none has it. */
    private long until(Try each) {
        long[] ends = new long[servers.size()];
        for (int i = 0; i < ends.length; i++) {
            long left = left(i, each);
            ends[i] = left <= 0 ? 0 : world.now() + clocks.get(i).trueSpan(left);
        }
        Arrays.sort(ends);
        return ends[ends.length - (ends.length / 2 + 1)];
    }

    /** Returns how long the hold lasts on one server by its clock, in us; not above 0 if it is not there. */
    private long left(int server, Try each) {
        SimulatedRedis redis = servers.get(server);
        String value = redis.hash(each.key).get("h:" + each.id);
        if (value == null) {
            return 0;
        }
        String[] parts = value.split(":", -1);
        return Long.parseLong(parts[0]) + Long.parseLong(parts[1]) - redis.micros();
    }

    private void add(Try each, What what, long token, long until) {
        String lock = Entry.lockOf(each.key);
        history.add(new Entry(world.now(), each.client, each.op, what, lock, "", token, until, each.id));
    }

    /** Returns what must not remain at the end: holds on any server, unless its clock stepped back, and keys that never expire. */
    List<String> leftBehind() {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            SimulatedRedis redis = servers.get(i);
            for (String key : redis.keys()) {
                if (redis.expiresAtMillis(key) < 0 && Entry.isLock(key)) {
                    left.add("key " + key + " of server " + i + " never expires");
                }
            }
            for (Try each : tries.values()) {
                if (left(i, each) > 0 && !history.steppedBack(0)) {
                    left.add("op " + each.op + " still holds " + each.key + " on server " + i);
                }
            }
        }
        return left;
    }
}
