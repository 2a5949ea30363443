package dev.leasehold.tck.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lock of docs/protocol.md, in Java: each operation gets Redis TIME and answers like its script. */
final class LockModel {

    private static final long LIMIT = 1L << 53;

    private final TreeMap<String, Hold> holds = new TreeMap<>();
    private final TreeMap<String, Long> tombstones = new TreeMap<>();
    private boolean exists;
    private long expiry;
    private long last;
    private long token;
    private String owner;

    private record Hold(long end, long length, long since) {
        Hold healed(long now) {
            return end - now > length ? new Hold(now + length, length, since) : this;
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
        copy.owner = owner;
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

    List<String> acquire(long now, String id, String as, long lease, long notAfter, long floor, long retention) {
        if (now > notAfter || tombstones.containsKey(id)) {
            return answer("stale", now);
        }
        if (holds.containsKey(id)) {
            if (holds.get(id).healed(now).end <= now) {
                return answer("ended", now);
            }
            heal(now);
            keep(now, retention, 0);
            return answer("granted", now, holds.get(id).end - now, token);
        }
        if (live(now) > 0 && !as.equals(owner)) {
            long left = latest(now) - now;
            if (heal(now)) {
                keep(now, retention, 0);
            }
            return answer("busy", now, left);
        }
        if (live(now) == 0 || floor > last) {
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
        heal(now);
        holds.values().removeIf(hold -> hold.end <= now);
        holds.put(id, new Hold(now + lease, lease, now));
        exists = true;
        owner = as;
        keep(now, retention, 0);
        return answer("granted", now, lease, token);
    }

    List<String> renew(long now, String id, long lease, long retention) {
        if (!holds.containsKey(id)) {
            return missing(now);
        }
        if (holds.get(id).healed(now).end <= now) {
            return answer("ended", now);
        }
        heal(now);
        Hold hold = holds.get(id);
        if (now + lease > hold.end) {
            holds.put(id, new Hold(now + lease, lease, hold.since));
        }
        keep(now, retention, 0);
        return answer("renewed", now, holds.get(id).end - now);
    }

    List<String> release(long now, String id, long notAfter, long retention) {
        boolean bury = exists && notAfter >= now;
        boolean held = holds.containsKey(id);
        if (!held && !bury) {
            return missing(now);
        }
        List<String> gone = missing(now);
        boolean healed = heal(now);
        Hold hold = holds.remove(id);
        // The remaining lease is long compared with the retention, which is in ms: half of it, then, in us.
        boolean worthIt = held && hold.end - now > retention * 500;
        if (bury || healed || worthIt || !tombstones.isEmpty()) {
            keep(now, retention, notAfter);
        }
        if (bury) {
            tombstones.put(id, notAfter);
        }
        if (!held) {
            return gone;
        }
        if (live(now) == 0) {
            holds.clear();
            owner = null;
        }
        return answer(hold.end > now ? "released" : "ended", now);
    }

    List<String> force(long now, long retention) {
        if (owner == null) {
            return answer("free", now);
        }
        long count = live(now);
        holds.clear();
        owner = null;
        last = Math.min(Math.max(last + 1, now), LIMIT - 1);
        keep(now, retention, 0);
        return count == 0 ? answer("free", now) : answer("freed", now, count);
    }

    /** Rewrites the hold as if the clock had stepped back by so much since it was written. */
    void writtenAhead(String id, long micros, long retention) {
        Hold hold = holds.get(id);
        Hold ahead = new Hold(hold.end + micros, hold.length, hold.since + micros);
        holds.put(id, ahead);
        expiry = Math.max(expiry, expiryFor(ahead.end, retention));
    }

    void lastAhead(long value, long retention) {
        last = value;
        token = value;
        expiry = Math.max(expiry, expiryFor(value, retention));
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
        holds.forEach((id, hold) -> fields.put("h:" + id, text(hold)));
        tombstones.forEach((id, until) -> fields.put("x:" + id, Long.toString(until)));
        if (!tombstones.isEmpty()) {
            fields.put("xn", Integer.toString(tombstones.size()));
        }
        return fields;
    }

    private static String text(Hold hold) {
        return hold.end + ":" + hold.length + ":" + hold.since;
    }

    private boolean heal(long now) {
        boolean any = holds.values().stream().anyMatch(hold -> hold.healed(now) != hold);
        holds.replaceAll((id, hold) -> hold.healed(now));
        return any;
    }

    private void keep(long now, long retention, long notAfter) {
        tombstones.values().removeIf(until -> until < now);
        long stones =
                tombstones.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long must = Math.max(Math.max(now, last), Math.max(latest(now), Math.max(stones, notAfter)));
        expiry = expiryFor(must, retention);
    }

    private static long expiryFor(long micros, long retention) {
        return (micros + 999) / 1000 + retention;
    }

    private long live(long now) {
        return holds.values().stream().filter(hold -> hold.end > now).count();
    }

    private long latest(long now) {
        return holds.values().stream()
                .mapToLong(hold -> hold.healed(now).end)
                .max()
                .orElse(0);
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
