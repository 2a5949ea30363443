package dev.leasehold.simulation.trace;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The key of a lock as the model of the protocol sees it.
 *
 * @param kind "none" if there is no key, "free", "held" by one exclusive hold, or "other": readers or a named owner
 * @param id of the acquisition that holds it, empty if none does
 * @param from when the hold began or was renewed, by Redis' clock
 * @param length how long it lasts from then
 * @param first the first token of the hold
 * @param last the last token
 * @param retained whether it was reserved for a hold that is retained, and nobody has asked for that
 * @param tombstones the ids that are refused, and until when
 * @param waited whether anybody waits in the queue, or has asked the holder for a release
 * @param expiryMillis the expiry of the key, 0 if there is none
 */
public record LockState(
        String kind,
        String id,
        long from,
        long length,
        long first,
        long last,
        boolean retained,
        Map<String, Long> tombstones,
        boolean waited,
        long expiryMillis) {

    private static final String HOLD = "h:";
    private static final String TOMBSTONE = "x:";

    /** The fields that show the owner of a lock to be neither readers, holders of permits, nor named. */
    private static final List<String> SHARED = List.of("r", "s");

    static LockState of(Map<String, String> fields, long expiryMillis) {
        if (fields.isEmpty()) {
            return new LockState("none", "", 0, 0, 0, 0, false, Map.of(), false, 0);
        }
        String own = fields.getOrDefault("own", "");
        Map<String, Long> tombstones = new TreeMap<>();
        long holds = 0;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            if (field.getKey().startsWith(TOMBSTONE)) {
                tombstones.put(field.getKey().substring(TOMBSTONE.length()), Long.parseLong(field.getValue()));
            } else if (field.getKey().startsWith(HOLD)) {
                holds++;
            }
        }
        String[] hold = fields.getOrDefault(HOLD + own, "0:0:0").split(":", -1);
        boolean several = SHARED.contains(own) || own.startsWith("n:") || own.startsWith("n#");
        String kind = own.isEmpty() && holds == 0 ? "free" : several || holds != 1 ? "other" : "held";
        long last = Long.parseLong(fields.getOrDefault("last", "0"));
        return new LockState(
                kind,
                kind.equals("held") ? own : "",
                Long.parseLong(hold[0]),
                Long.parseLong(hold[1]),
                Long.parseLong(fields.getOrDefault("tok", Long.toString(last))),
                last,
                fields.getOrDefault("rt", "").startsWith(last + ":"),
                tombstones,
                fields.containsKey("wn") || isAsked(fields, kind, last),
                expiryMillis);
    }

    private static boolean isAsked(Map<String, String> fields, String kind, long last) {
        return kind.equals("held") && Long.toString(last).equals(fields.get("rq"));
    }
}
