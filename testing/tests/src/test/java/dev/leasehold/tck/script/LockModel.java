package dev.leasehold.tck.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lock of docs/protocol.md, in Java: each operation gets Redis TIME and answers like its script. */
final class LockModel {

    private static final long LIMIT = 1L << 53;
    private static final Sum NONE = new Sum(0, Long.MAX_VALUE, 0, 0);

    private final TreeMap<String, Hold> holds = new TreeMap<>();
    private final TreeMap<String, Long> tombstones = new TreeMap<>();
    private boolean exists;
    private long expiry;
    private long last;
    private long token;
    /** No tombstone is later. */
    private long latestTombstone;

    private String owner;
    /** The sum of the holds of a named owner; null if there is none. */
    private Sum sum;

    private record Hold(long from, long length, long since) {
        long end() {
            return from + length;
        }

        Hold healed(long now) {
            return from > now ? new Hold(now, length, since) : this;
        }
    }

    private record Sum(long count, long earliest, long latest, long longest) {
        Sum with(long end, long length) {
            return new Sum(count + 1, Math.min(earliest, end), Math.max(latest, end), Math.max(longest, length));
        }

        boolean allLive(long now) {
            return earliest > now && latest - now <= longest;
        }
    }

    /** The holds of the owner but one, as a script finds them. */
    private record Others(Sum live, List<String> ended, Map<String, Hold> healed) {
        long latest() {
            return live.count == 0 ? 0 : live.latest;
        }
    }

    LockModel copy() {
        LockModel copy = new LockModel();
        copy.holds.putAll(holds);
        copy.tombstones.putAll(tombstones);
        copy.exists = exists;
        copy.expiry = expiry;
        copy.last = last;
        copy.token = token;
        copy.latestTombstone = latestTombstone;
        copy.owner = owner;
        copy.sum = sum;
        return copy;
    }

    LockModel gone() {
        return new LockModel();
    }

    boolean exists() {
        return exists;
    }

    long expiry() {
        return expiry;
    }

    List<String> ids() {
        return new ArrayList<>(holds.keySet());
    }

    List<String> acquire(long now, String id, String as, long lease, long notAfter, long floor, long memory) {
        if (now > notAfter || tombstones.containsKey(id)) {
            return answer("stale", now);
        }
        if (holds.containsKey(id)) {
            Hold mine = holds.get(id).healed(now);
            if (mine.end() <= now) {
                return answer("ended", now);
            }
            holds.put(id, mine);
            Others others = others(now, id);
            keep(now, others, mine.end(), memory);
            return answer("granted", now, mine.end() - now, token);
        }
        Others others = others(now, id);
        boolean held = others.live.count > 0;
        if (held && !as.equals(owner)) {
            if (!others.healed.isEmpty()) {
                keep(now, others, 0, memory);
            }
            return answer("busy", now, others.latest() - now);
        }
        if (!held || floor > last) {
            if (floor > last && floor > now + 2_000_000) {
                return answer("clock", now, last);
            }
            long next = Math.max(Math.max(last + 1, now), floor + 1);
            if (next >= LIMIT) {
                return answer("exhausted", now, last);
            }
            last = next;
            token = next;
        }
        exists = true;
        owner = as;
        keep(now, others, now + lease, memory);
        others.ended.forEach(holds::remove);
        holds.put(id, new Hold(now, lease, now));
        sum = hasSeveral() ? others.live.with(now + lease, lease) : null;
        return answer("granted", now, lease, token);
    }

    List<String> renew(long now, String id, long lease, long memory) {
        if (!holds.containsKey(id)) {
            return missing(now);
        }
        Hold hold = holds.get(id).healed(now);
        if (hold.end() <= now) {
            return answer("ended", now);
        }
        Others others = others(now, id);
        if (now + lease > hold.end()) {
            hold = new Hold(now, lease, hold.since);
        }
        holds.put(id, hold);
        keep(now, others, hold.end(), memory);
        if (hasSeveral()) {
            others.ended.forEach(holds::remove);
            sum = others.live.with(hold.end(), lease);
        }
        return answer("renewed", now, hold.end() - now);
    }

    List<String> release(long now, String id, long notAfter, long memory) {
        boolean bury = exists && notAfter >= now;
        Hold hold = holds.get(id);
        if (hold == null && !bury) {
            return missing(now);
        }
        List<String> gone = missing(now);
        boolean own = id.equals(owner);
        Others others = others(now, id);
        boolean healed = !others.healed.isEmpty() || (hold != null && hold.healed(now) != hold);
        hold = hold == null ? null : hold.healed(now);
        // The remaining lease is long compared with the token memory, which is in ms: half of it, then, in us.
        boolean worthIt = hold != null && hold.end() - now > memory * 500;
        if (bury || healed || worthIt || !tombstones.isEmpty()) {
            keep(now, others, notAfter, memory);
        }
        if (bury) {
            tombstones.put(id, notAfter);
            latestTombstone = Math.max(latestTombstone, notAfter);
        }
        if (hold == null) {
            return gone;
        }
        holds.remove(id);
        others.ended.forEach(holds::remove);
        if (others.live.count == 0) {
            owner = null;
            sum = null;
        } else {
            sum = others.live;
        }
        return answer(own || hold.end() > now ? "released" : "ended", now);
    }

    List<String> force(long now, long memory) {
        if (owner == null) {
            return answer("free", now);
        }
        long count = others(now, "").live.count;
        holds.clear();
        owner = null;
        sum = null;
        last = Math.min(Math.max(last + 1, now), LIMIT - 1);
        keep(now, new Others(NONE, List.of(), Map.of()), 0, memory);
        return count == 0 ? answer("free", now) : answer("freed", now, count);
    }

    /** Rewrites the hold as if the clock had stepped back by so much since it was written; the sum is removed. */
    void writtenAhead(String id, long micros, long memory) {
        Hold hold = holds.get(id);
        Hold ahead = new Hold(hold.from + micros, hold.length, hold.since + micros);
        holds.put(id, ahead);
        sum = null;
        expiry = Math.max(expiry, expiryFor(ahead.end(), memory));
    }

    void lastAhead(long value, long memory) {
        last = value;
        token = value;
        expiry = Math.max(expiry, expiryFor(value, memory));
    }

    /** Returns all fields that make up the lock, without the informational ones. */
    Map<String, String> fields() {
        Map<String, String> fields = new TreeMap<>();
        if (!exists) {
            return fields;
        }
        fields.put("v", "1");
        fields.put("last", Long.toString(last));
        if (owner != null) {
            fields.put("own", owner);
        }
        if (sum != null) {
            fields.put("rs", sum.count + ":" + sum.earliest + ":" + sum.latest + ":" + sum.longest);
        }
        holds.forEach((id, hold) -> fields.put("h:" + id, hold.from + ":" + hold.length + ":" + hold.since));
        tombstones.forEach((id, until) -> fields.put("x:" + id, Long.toString(until)));
        if (!tombstones.isEmpty()) {
            fields.put("xn", tombstones.size() + ":" + latestTombstone);
        }
        return fields;
    }

    private boolean hasSeveral() {
        return owner != null && owner.startsWith("n:");
    }

    /** Finds the holds of the owner, other than one, and the corrections of those that began in the future. */
    private Others others(long now, String mine) {
        if (owner == null) {
            return new Others(NONE, List.of(), Map.of());
        }
        if (hasSeveral() && sum != null && sum.allLive(now)) {
            long count = sum.count - (holds.containsKey(mine) ? 1 : 0);
            return new Others(new Sum(count, sum.earliest, sum.latest, sum.longest), List.of(), Map.of());
        }
        Sum live = NONE;
        List<String> ended = new ArrayList<>();
        Map<String, Hold> healed = new TreeMap<>();
        for (Map.Entry<String, Hold> entry : holds.entrySet()) {
            if (!entry.getKey().equals(mine)) {
                Hold hold = entry.getValue().healed(now);
                if (hold != entry.getValue()) {
                    healed.put(entry.getKey(), hold);
                }
                if (hold.end() > now) {
                    live = live.with(hold.end(), hold.length);
                } else {
                    ended.add(entry.getKey());
                }
            }
        }
        return new Others(live, ended, healed);
    }

    /** Sets the expiry of the key, and writes the corrected holds. */
    private void keep(long now, Others others, long micros, long memory) {
        holds.putAll(others.healed);
        long ends = Math.max(micros, others.latest());
        long stones = tombstones.isEmpty() ? 0 : latestTombstone;
        expiry = expiryFor(Math.max(Math.max(now, last), Math.max(ends, stones)), memory);
        if (tombstones.values().removeIf(until -> until < now) && tombstones.isEmpty()) {
            latestTombstone = 0;
        }
    }

    private static long expiryFor(long micros, long memory) {
        return (micros + 999) / 1000 + memory;
    }

    private List<String> missing(long now) {
        return List.of("gone", Long.toString(now), owner == null ? "free" : "taken");
    }

    private static List<String> answer(String code, long... numbers) {
        List<String> answer = new ArrayList<>(List.of(code));
        for (long number : numbers) {
            answer.add(Long.toString(number));
        }
        return answer;
    }
}
