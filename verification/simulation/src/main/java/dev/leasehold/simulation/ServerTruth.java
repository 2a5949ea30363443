package dev.leasehold.simulation;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The true holds in Redis: recorded in the history from the answers of its scripts, whether or not any client
 * receives them.
 */
final class ServerTruth implements ServerObserver {

    static final KeyPrefix PREFIX = new KeyPrefix("sim");
    static final String LABEL = "op-";

    /** The prefix of a candidate, each of whose terms is an operation. */
    static final String CANDIDATE = "candidate-";

    private static final int FIRST_TERM = 2_000_000;

    /** The argument of a release with the last token that was given out. */
    private static final int USED = 5;

    /** The argument of a resume with the label. */
    private static final int LABEL_OF_RESUME = 9;

    /** In a reply, the first of the tokens that belong to a hold. */
    private static final int FIRST = 3;

    /** The last of them, if there are several. */
    private static final int LAST = 4;

    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_MILLI = 1000;
    /** The rule of docs/protocol.md: after work of this length the lock is reserved for the head of the queue. */
    private static final long LONG_MICROS = 1000;

    /** The heartbeat timeout of a waiter. */
    private static final long LAPSED_MICROS = 7_000_000;

    private static final long KEPT_NANOS = 50_000_000;
    /** A client that has just joined the queue may not be subscribed to wake-ups yet. */
    private static final long SETTLED_NANOS = 1_000_000_000;

    private final World world;
    private final History history;
    private final SimulatedRedis redis;
    private final Met met;
    private final LatchTruth latches;
    private final Map<String, Hold> known = new HashMap<>();
    /** Released holds that Redis keeps for the rest of their minimum, by the id under which it does. */
    private final Map<String, Hold> kept = new HashMap<>();
    /** The operations of candidates, by acquisition id. */
    private final Map<String, Integer> terms = new HashMap<>();
    /** The operations of readers, by the acquisition id of the writer that becomes the reader. */
    private final Map<String, Integer> readers = new HashMap<>();
    /** The number of permits of each semaphore, if it is not the usual one. */
    private final Map<String, Integer> permits = new HashMap<>();
    /** The first sighting of each position of a queue, by key and number. */
    private final Map<String, Long> positions = new HashMap<>();

    /** The last position of each acquisition: a repeat whose caller does not know it has it nevertheless. */
    private final Map<String, Long> places = new HashMap<>();

    /** An acquisition that Redis has seen; the operation is that of the lease to which it was last handed off. */
    private static final class Hold {
        int op;
        final int client;
        final String lock;
        final String key;
        String owner;
        boolean recordState;
        /** True from the moment when its client began to retain it until it is asked for the lock. */
        boolean retained;

        /** The end that was last promised, and the moment of the promise, in true time. */
        long until;

        long promisedAt;

        /** The present end: a fault may have changed it since. */
        long left;

        final Tokens tokens = new Tokens();
        /** Its beginning, by Redis' clock. */
        long since;

        /** Other readers of its client under the same hold. */
        final Set<Integer> sharers = new TreeSet<>();

        /** True if it was handed off by a writer to readers of its client. */
        boolean letsRead;
        /** True if its tokens are those of the next lease, which its client has not got yet. */
        boolean handsOff;

        boolean mayBeHandedTo(int other, int next, String name, long token) {
            return client == other && op != next && lock.equals(name) && owner.isEmpty() && tokens.has(token);
        }

        /** Makes it the hold of another lease of its client. */
        void handedTo(int next, boolean reads) {
            op = next;
            letsRead = reads;
            handsOff = false;
            sharers.clear();
        }

        /** Returns whether others may hold the lock, too. */
        boolean shares() {
            return owner.equals(Entry.READERS) || permits();
        }

        boolean permits() {
            return owner.equals(Entry.HOLDERS);
        }

        Hold(int op, int client, String lock, String key, String owner) {
            this.op = op;
            this.client = client;
            this.lock = lock;
            this.key = key;
            this.owner = owner;
        }
    }

    ServerTruth(World world, History history, Met met, SimulatedRedis redis) {
        this.met = met;
        this.world = world;
        this.history = history;
        this.redis = redis;
        this.latches = new LatchTruth(world, history, redis);
    }

    static LockKey lockKey(String lock) {
        return Entry.isPlain(lock) ? PlainKey.of(lock) : LockKey.of(PREFIX, lock);
    }

    static String key(String lock) {
        return lockKey(lock).key();
    }

    /** Returns the acquisition with this id, -1 if Redis has not seen it. */
    int op(String id) {
        Hold hold = known.get(id);
        return hold == null ? -1 : hold.op;
    }

    /** Returns whether several readers share it: each learns of its end separately. */
    boolean shared(String id) {
        Hold hold = known.get(id);
        return hold != null && !hold.sharers.isEmpty();
    }

    @Override
    public void struck(FaultKind kind, long step) {
        if (!kind.covered) {
            readAgain();
        }
        if (!kind.covered || step != 0) {
            latches.readAgain();
        }
    }

    @Override
    public void executed(Answered one) {
        String id = one.id();
        switch (one.script() + " " + one.word()) {
            case "acquire_free granted",
                    "acquire granted",
                    "acquire_named granted",
                    "acquire_shared granted",
                    "acquire_permits granted",
                    "plain_acquire granted" -> granted(one);
            case "resume granted" -> {
                if (one.args().get(LABEL_OF_RESUME).startsWith(LABEL)) {
                    resumed(one);
                } else {
                    kept(one, known.get(one.args().get(1)));
                }
            }
            case "change_permits changed" -> {
                history.add(new Entry(world.now(), -1, -1, What.SERVER_CHANGED, Entry.lockOf(one.key()), "", 0, 0, ""));
                met.count(Met.Deed.PERMITS_CHANGED);
                permits(Entry.lockOf(one.key()), one.key());
            }
            case "force_release freed", "force_release free", "plain_force_release freed" -> forced(one.key());
            case "downgrade shared" ->
                shared(known.get(id), id, Long.parseLong(one.reply().get(FIRST)));
            case "request_release requested" -> requested(one.key());
            case "renew renewed", "renew asked", "plain_renew renewed", "plain_renew asked" ->
                recordState(What.SERVER_RENEWED, known.get(id), id, 0);
            case "go_on going" -> {
                continues(known.get(id), id, one.reply());
                add(What.SERVER_WENT_ON, known.get(id), id, 0, 0);
            }
            case "retain going" -> retained(one, known.get(id));
            case "release released", "release ended" -> {
                released(id, Long.parseLong(one.args().get(1)));
                givenBack(known.get(id), one);
            }
            case "plain_release released" -> released(id, 0);
            case "leave left" ->
                history.add(new Entry(world.now(), -1, -1, What.SERVER_LEFT, Entry.lockOf(one.key()), "", 0, 0, ""));
            case "acquire_free busy" -> {
                asked(one.key());
                turnedAway(one.key());
            }
            case "acquire busy", "acquire_named busy", "acquire_shared busy", "acquire_permits busy" -> {
                asked(one.key());
                turnedAway(one.key());
                queued(one);
            }
            default -> latches.executed(one);
        }
    }

    private void queued(Answered one) {
        boolean fair = one.args().get(10).equals("1");
        List<String> reply = one.reply();
        if (reply.size() <= 3 || reply.get(3).equals("0")) {
            return;
        }
        places.put(one.id(), Long.parseLong(reply.get(3)));
        positions.putIfAbsent(one.key() + " " + reply.get(3), world.now());
        if (fair) {
            add(What.SERVER_QUEUED, hold(one), one.id(), Long.parseLong(reply.get(3)), 0);
        }
    }

    /** Labels an operation, and the one of another lock that is acquired with it, if there is one. */
    static String label(int op, String other, int opOfOther) {
        return LABEL + op + (other.isEmpty() ? "" : "," + other + "=" + opOfOther);
    }

    private static int opOf(String label, String lock) {
        String[] parts = label.substring(LABEL.length()).split("[,=]", -1);
        return Integer.parseInt(parts.length > 1 && parts[1].equals(lock) ? parts[2] : parts[0]);
    }

    /** Reads the label, which names the operation; the holder names the client: {@code <n>@sim thread}. */
    private Hold hold(Answered one) {
        boolean plain = one.script().equals("plain_acquire");
        boolean resume = one.script().equals("resume");
        String label = one.args().get(plain ? 4 : resume ? LABEL_OF_RESUME : 6);
        String holder = one.args().get(plain ? 3 : resume ? 8 : 5);
        String owner = switch (one.script()) {
            case "resume" -> one.args().get(2);
            case "acquire_named" -> one.args().get(11);
            case "acquire_shared" -> OwnerKey.READERS;
            case "acquire_permits" -> OwnerKey.PERMITS;
            default -> "";
        };
        String key = one.key();
        int op = label.startsWith(CANDIDATE)
                ? terms.computeIfAbsent(one.id(), id -> FIRST_TERM + terms.size())
                : opOf(label, Entry.lockOf(key));
        return new Hold(
                op, Integer.parseInt(holder.substring(0, holder.indexOf('@'))), Entry.lockOf(key), key, owner(owner));
    }

    private static String owner(String field) {
        return switch (field) {
            case OwnerKey.READERS -> Entry.READERS;
            case OwnerKey.PERMITS -> Entry.HOLDERS;
            default -> field.startsWith("n:") ? field.substring(2) : "";
        };
    }

    private void granted(Answered one) {
        String id = one.id();
        boolean first = !known.containsKey(id);
        Hold hold = known.computeIfAbsent(id, fresh -> {
            Hold granted = hold(one);
            granted.since = redis.micros();
            return granted;
        });
        hold.recordState = true;
        if (hold.op != hold(one).op || hold.handsOff) {
            // A late copy of the request from which the hold was handed off since, or is about to be: it is answered
            // with the first
            // token once more.
            recordState(What.SERVER_RENEWED, hold, id, 0);
            return;
        }
        granted(hold, one.reply());
        if (hold.permits()) {
            permits(hold.lock, hold.key);
        }
        recordState(
                What.SERVER_GRANTED,
                hold,
                id,
                hold.permits() ? Long.parseLong(one.args().get(11)) : hold.tokens.first());
        if (first && hold.shares()) {
            long asked = Long.parseLong(one.args().get(8));
            cameIn(hold, id, asked == 0 ? places.getOrDefault(id, 0L) : asked);
        }
    }

    /** Records a resume: the resuming client has the lock at once, and the promises to the former holder are void. */
    private void resumed(Answered one) {
        String id = one.id();
        Hold former = known.containsKey(id) ? null : known.get(one.args().get(1));
        Hold hold = known.computeIfAbsent(id, fresh -> {
            Hold granted = hold(one);
            granted.since = redis.micros();
            return granted;
        });
        hold.recordState = true;
        granted(hold, one.reply());
        recordState(What.SERVER_GRANTED, hold, id, hold.tokens.first());
        if (former != null) {
            former.recordState = false;
            add(What.SERVER_RESUMED, former, one.args().get(1), hold.tokens.first(), 0);
        }
    }

    /** Sets the operation of the reader that a writer with this hold becomes. */
    void downgrades(String id, int reader) {
        readers.put(id, reader);
    }

    /**
     * Records that the hold of a writer became one of readers: of those that have it already, or of the reader that the
     * writer becomes.
     */
    private void shared(@Nullable Hold hold, String id, long token) {
        if (hold == null) {
            return;
        }
        Integer reader = readers.get(id);
        if (reader != null && hold.op != reader) {
            hold.owner = Entry.READERS;
            hold.tokens.replace(token, token);
            hold.handedTo(reader, true);
            hold.recordState = true;
            recordEnd(hold, id);
            taken(hold, reader, id, token);
        }
        history.add(new Entry(
                world.now(), hold.client, hold.op, What.SERVER_SHARED, hold.lock, Entry.READERS, token, 0, id));
    }

    /** Records that Redis keeps a released hold for the rest of its minimum, under another id. */
    private void kept(Answered one, @Nullable Hold hold) {
        if (hold != null) {
            String value = Objects.requireNonNull(redis.hash(hold.key).get("h:" + one.id()));
            long until = world.now() + (end(value) - redis.micros()) * NANOS_PER_MICRO;
            hold.recordState = false;
            kept.put(one.id(), hold);
            met.count(Met.Deed.KEPT);
            add(
                    What.SERVER_KEPT,
                    hold,
                    one.args().get(1),
                    Long.parseLong(one.reply().get(FIRST)),
                    until);
        }
    }

    /** Records how many permits a semaphore has, if that is another number than before. */
    private void permits(String lock, String key) {
        int number = permitsOf(redis.hash(key));
        Integer before = permits.put(lock, number);
        if (number != (before == null ? Entry.ALL_PERMITS : before)) {
            history.add(new Entry(world.now(), -1, -1, What.SERVER_PERMITS, lock, "", number, 0, ""));
        }
    }

    /** Returns how many permits a semaphore has: what its clients expect, or after {@code =} what one of them changed it to. */
    private static int permitsOf(Map<String, String> fields) {
        String number = fields.getOrDefault("pt", "" + Entry.ALL_PERMITS);
        return Integer.parseInt(number.startsWith("=") ? number.substring(1) : number);
    }

    private void forced(String key) {
        history.add(new Entry(world.now(), -1, -1, What.SERVER_FORCED, Entry.lockOf(key), "", 0, 0, ""));
        known.forEach((id, hold) -> {
            if (hold.key.equals(key) && hold.recordState) {
                hold.recordState = false;
                met.count(Met.Deed.FORCED);
                add(What.SERVER_GONE, hold, id, 0, 0);
            }
        });
    }

    /** Records a release request to all holds of the lock. Readers that join a kept one hear of it. */
    private void requested(String key) {
        requested(key, known);
        requested(key, kept);
    }

    private void requested(String key, Map<String, Hold> holds) {
        holds.forEach((id, hold) -> {
            if (hold.key.equals(key) && end(hold, id) > redis.micros()) {
                add(What.SERVER_REQUESTED, hold, id, 0, 0);
            }
        });
    }

    /** Returns the operation of the term that this client has by this token; below 0 if Redis did not grant it. */
    int term(int client, String lock, long token) {
        return known.values().stream()
                .filter(hold -> hold.client == client && hold.lock.equals(lock) && hold.tokens.has(token))
                .mapToInt(hold -> hold.op)
                .max()
                .orElse(-1);
    }

    /**
     * Records a grant beside other holders. It must let the head of the queue go first, unless the head is dead or
     * itself, if that is a writer, or needs more permits than were free.
     */
    private void cameIn(Hold hold, String id, long place) {
        Map<String, String> fields = redis.hash(hold.key);
        boolean alone =
                fields.keySet().stream().filter(field -> field.startsWith("h:")).count() == 1;
        if (!alone) {
            first(fields)
                    .filter(n -> place == 0 || place > Long.parseLong(n))
                    .map(n -> Waits.of(Objects.requireNonNull(fields.get("q:" + n))))
                    .ifPresent(head -> {
                        long ago = redis.micros() - head.beat;
                        boolean comesFirst = hold.permits()
                                ? head.permits > permitsOf(fields) - taken(fields, id)
                                : head.what.isEmpty();
                        String note = comesFirst && ago >= 0 && ago <= LAPSED_MICROS ? "past" : "beside";
                        history.add(new Entry(
                                world.now(),
                                hold.client,
                                hold.op,
                                What.SERVER_JOINED,
                                hold.lock,
                                hold.owner,
                                0,
                                0,
                                note));
                    });
        }
    }

    /** A position in the queue: the last heartbeat of its client, the mode it waits for, and the number of permits. */
    private record Waits(long beat, String what, int permits) {
        static Waits of(String value) {
            String head = value.substring(0, value.indexOf(':'));
            int digits = 0;
            while (digits < head.length() && Character.isDigit(head.charAt(digits))) {
                digits++;
            }
            String what = head.substring(digits);
            return new Waits(
                    Long.parseLong(head.substring(0, digits)),
                    what,
                    what.startsWith("s") ? Integer.parseInt(what.substring(1)) : 0);
        }
    }

    /** Returns the number of permits that are taken, not counting this hold. */
    private static int taken(Map<String, String> fields, String id) {
        return fields.keySet().stream()
                .filter(field -> field.startsWith("h:") && !field.equals("h:" + id))
                .mapToInt(field -> Integer.parseInt(fields.getOrDefault("p:" + field.substring(2), "1")))
                .sum();
    }

    /** Returns the first position of a queue. */
    private static Optional<String> first(Map<String, String> fields) {
        return fields.keySet().stream()
                .filter(field -> field.startsWith("q:"))
                .map(field -> field.substring(2))
                .min(Comparator.comparingLong(Long::parseLong));
    }

    private static void granted(Hold hold, List<String> reply) {
        // The token of a lock that was free is the time of the grant; a plain lock has none.
        int at = reply.size() == 2 ? 1 : FIRST;
        long first = reply.size() > at ? Long.parseLong(reply.get(at)) : 0;
        hold.tokens.replace(first, reply.size() > LAST ? Long.parseLong(reply.get(LAST)) : first);
    }

    private static void reserved(Hold hold, List<String> reply) {
        hold.tokens.reserve(Long.parseLong(reply.get(FIRST)), Long.parseLong(reply.get(LAST)));
    }

    private void continues(@Nullable Hold hold, String id, List<String> reply) {
        if (hold != null) {
            reserved(hold, reply);
            hold.handsOff = true;
            recordState(What.SERVER_RENEWED, hold, id, 0);
        }
    }

    /** Records that the holder of a lock is asked to release it if it retains the hold. */
    private void asked(String key) {
        String owner = redis.hash(key).getOrDefault("own", "");
        Hold hold = known.get(owner);
        if (hold != null && hold.retained && end(hold, owner) > redis.micros()) {
            hold.retained = false;
            add(What.SERVER_ASKED, hold, owner, 0, 0);
        }
    }

    /** Records that a client retains a hold, which has the tokens of the reply, too. */
    private void retained(Answered one, @Nullable Hold hold) {
        if (hold != null) {
            String id = one.id();
            reserved(hold, one.reply());
            recordState(What.SERVER_RENEWED, hold, id, 0);
            if (one.args().get(5).equals("0")) {
                hold.retained = true;
                add(What.SERVER_RETAINED, hold, id, 0, hold.until);
            }
        }
    }

    /**
     * Records a hand-off: Redis does not know the lease, but another lease of its client handed the lock to it. The
     * hold to which its token belongs is its own from here on: the latest, for after a step back of the clock an
     * earlier one may have had the same token. If there is none it has no hold, for the rules to detect.
     */
    boolean handed(int client, int op, String lock, long token) {
        if (known.values().stream().anyMatch(hold -> hold.op == op && hold.tokens.has(token))) {
            // Its own. After a loss of data another lease, which is gone, may have had the same token.
            return false;
        }
        Optional<Map.Entry<String, Hold>> latest = known.entrySet().stream()
                .filter(entry -> entry.getValue().mayBeHandedTo(client, op, lock, token))
                .max(Comparator.comparingLong(entry -> entry.getValue().promisedAt));
        latest.ifPresent(entry -> {
            Hold hold = entry.getValue();
            hold.handedTo(op, false);
            taken(hold, op, entry.getKey(), token);
        });
        return latest.isPresent();
    }

    /**
     * Records that a reader has this hold, either of another reader of its client, or of a writer that lets readers
     * in.
     */
    void joins(int op, String id, long token) {
        Hold hold = known.get(id);
        if (hold != null && hold.op != op) {
            if (hold.shares() || hold.letsRead) {
                hold.sharers.add(op);
            } else {
                hold.handedTo(op, true);
            }
            // A token that Redis did not reserve for the hold is left to the rules.
            taken(hold, op, id, hold.shares() || !hold.tokens.has(token) ? hold.tokens.first() : token);
        }
    }

    /**
     * Records that another lease of a client has the hold: what was promised to it, and the present state if a fault has changed
     * it since.
     */
    private void taken(Hold hold, int op, String id, long token) {
        String owner = hold.letsRead ? Entry.READERS : hold.owner;
        history.add(
                new Entry(world.now(), hold.client, op, What.SERVER_GRANTED, hold.lock, owner, token, hold.until, id));
        if (hold.left != hold.until) {
            history.add(
                    new Entry(world.now(), hold.client, op, What.SERVER_RENEWED, hold.lock, owner, 0, hold.left, id));
        }
    }

    /** Records that the tokens of a retained hold that no lease has had do not belong to it any more. */
    private static void givenBack(@Nullable Hold hold, Answered one) {
        if (hold != null && one.args().size() > USED) {
            hold.tokens.giveBackAbove(Long.parseLong(one.args().get(USED)));
        }
    }

    private void released(String id, long notAfter) {
        Hold hold = known.get(id);
        if (hold != null && hold.recordState) {
            hold.recordState = false;
            add(What.SERVER_RELEASED, hold, id, notAfter, 0);
            if (redis.micros() - hold.since >= LONG_MICROS) {
                kept(hold);
            }
        }
    }

    /** Records that the lock is reserved for the first of a plain queue, if that is subscribed to the wake-up. */
    private void kept(Hold freed) {
        Map<String, String> fields = redis.hash(freed.key);
        if (fields.containsKey("own") || fields.containsKey("qf")) {
            return;
        }
        first(fields)
                .filter(n -> Waits.of(Objects.requireNonNull(fields.get("q:" + n)))
                        .what
                        .isEmpty())
                .filter(n -> world.now() - positions.getOrDefault(freed.key + " " + n, world.now()) >= SETTLED_NANOS)
                .ifPresent(n -> {
                    String channel =
                            Objects.requireNonNull(fields.get("q:" + n)).split(" ", 2)[0];
                    int client = Integer.parseInt(channel.substring(channel.lastIndexOf(':') + 1));
                    long until = world.now() + KEPT_NANOS;
                    history.add(new Entry(
                            world.now(),
                            client,
                            -1,
                            What.SERVER_RESERVED,
                            freed.lock,
                            "",
                            Long.parseLong(n),
                            until,
                            ""));
                });
    }

    /**
     * Records a refusal. A clock that stepped back must not exclude others for longer than the length of the hold;
     * a reader's for no longer than the longest of the continuous series of readers.
     */
    private void turnedAway(String key) {
        Map<String, String> fields = redis.hash(key);
        String sum = fields.get("rs");
        long longest = sum == null ? 0 : Long.parseLong(sum.substring(sum.lastIndexOf(':') + 1));
        fields.forEach((field, value) -> {
            String[] hold = value.split(":", -1);
            if (field.startsWith("h:")
                    && Long.parseLong(hold[0]) + Long.parseLong(hold[1]) - redis.micros()
                            > Math.max(longest, Long.parseLong(hold[1]))) {
                String id = field.substring(2);
                add(What.TOO_LONG, known.get(id), id, 0, 0);
            }
        });
    }

    /** Records the state of the keyspace, whatever the answer was. */
    private void recordState(What what, @Nullable Hold hold, String id, long token) {
        if (hold != null) {
            long until = recordEnd(hold, id);
            add(until <= world.now() ? What.SERVER_MISREPORTED : what, hold, id, token, until);
        }
    }

    /** Notes what was promised of a hold now; returns its end in true time, which is past if there is no such hold. */
    private long recordEnd(Hold hold, String id) {
        long left = end(hold, id) - redis.micros();
        long until = world.now() + left * NANOS_PER_MICRO;
        hold.until = left <= 0 ? hold.until : until;
        hold.left = hold.until;
        hold.promisedAt = world.now();
        return until;
    }

    private void add(What what, @Nullable Hold hold, String id, long token, long until) {
        if (hold != null) {
            history.add(new Entry(world.now(), hold.client, hold.op, what, hold.lock, hold.owner, token, until, id));
            for (int sharer : hold.sharers) {
                history.add(new Entry(world.now(), hold.client, sharer, what, hold.lock, hold.owner, token, until, id));
            }
        }
    }

    /** Records the state after a fault that may have removed or shortened holds. */
    private void readAgain() {
        long now = redis.micros();
        for (Map.Entry<String, Hold> entry : known.entrySet()) {
            Hold hold = entry.getValue();
            if (!hold.recordState) {
                continue;
            }
            long end = end(hold, entry.getKey());
            if (end <= now) {
                hold.recordState = false;
                add(What.SERVER_GONE, hold, entry.getKey(), 0, 0);
            } else {
                hold.left = world.now() + (end - now) * NANOS_PER_MICRO;
                add(What.SERVER_RENEWED, hold, entry.getKey(), 0, hold.left);
            }
        }
    }

    /**
     * Returns what must not remain at the end: live holds, and keys that never expire. A hold that lost data
     * restored, and a clock that stepped back prolonged, is corrected by the next request for the lock. Without a
     * request it may remain.
     */
    List<String> leftBehind() {
        List<String> left = new ArrayList<>();
        for (String key : redis.keys()) {
            if (redis.expiresAtMillis(key) < 0) {
                left.add("key " + key + " never expires");
            }
        }
        known.forEach((id, hold) -> {
            if (end(hold, id) > redis.micros() && !history.steppedBack(hold.promisedAt)) {
                left.add("op " + hold.op + " still holds " + hold.key);
            }
        });
        return left;
    }

    /** Returns the end of the hold by Redis' clock, 0 if it does not exist. */
    private long end(Hold hold, String id) {
        if (Entry.isPlain(hold.lock)) {
            boolean recordState =
                    redis.execute(List.of("GET", hold.key)) instanceof String text && text.startsWith(id + " ");
            // The key exists until the millisecond of its expiry is over.
            return recordState ? (redis.expiresAtMillis(hold.key) + 1) * MICROS_PER_MILLI : 0;
        }
        String value = redis.hash(hold.key).get("h:" + id);
        if (value == null) {
            return 0;
        }
        return end(value);
    }

    /** Returns the end of a hold, by Redis' clock, from its field. */
    private static long end(String value) {
        String[] parts = value.split(":", -1);
        return Long.parseLong(parts[0]) + Long.parseLong(parts[1]);
    }
}
