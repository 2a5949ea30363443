package dev.leasehold.internal.script;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code inspect.lua}: reads a lock without changing it. */
public final class InspectScript implements ScriptBinding<InspectLock, InspectLock.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("inspect");

    InspectScript() {}

    @Override
    public ScriptCall call(InspectLock request) {
        return new ScriptCall(SCRIPT, List.of(request.key().key()), List.of(), request.timeoutNanos());
    }

    @Override
    public InspectLock.Answer read(InspectLock request, List<String> reply) {
        InspectLock.Code code = Reply.code(InspectLock.Code.class, reply);
        return answer(code, Reply.now(reply), reply.subList(2, reply.size()));
    }

    private static InspectLock.Answer answer(InspectLock.Code code, ServerTime now, List<String> words) {
        return switch (code) {
            case FOREIGN -> new InspectLock.Answer(code, now, InspectLock.State.FREE, words.get(0));
            case LOCK -> {
                Map<String, String> fields = new HashMap<>();
                for (int i = 1; i + 1 < words.size(); i += 2) {
                    fields.put(words.get(i), words.get(i + 1));
                }
                LockHash hash = new LockHash(fields, Long.parseLong(words.get(0)), now);
                yield new InspectLock.Answer(code, now, hash.state(), "");
            }
        };
    }

    /** {@code inspect_many.lua}: reads several locks without changing them. */
    public static final class Many implements ScriptBinding<InspectLock.Many, InspectLock.Many.Answers> {

        /** The resource, as sent. */
        public static final Script SCRIPT = Scripts.load("inspect_many");

        Many() {}

        /** The first word of a reply. */
        enum Code {
            EACH
        }

        @Override
        public ScriptCall call(InspectLock.Many request) {
            List<String> keys = request.keys().stream().map(LockKey::key).toList();
            return new ScriptCall(SCRIPT, keys, List.of(), request.timeoutNanos());
        }

        @Override
        public InspectLock.Many.Answers read(InspectLock.Many request, List<String> reply) {
            Code unused = Reply.code(Code.class, reply);
            ServerTime now = Reply.now(reply);
            List<InspectLock.Answer> each = new ArrayList<>();
            int at = 2;
            while (at < reply.size()) {
                int end = at + 1 + Integer.parseInt(reply.get(at));
                InspectLock.Code code = Reply.code(InspectLock.Code.class, reply.get(at + 1));
                each.add(answer(code, now, reply.subList(at + 2, end)));
                at = end;
            }
            if (each.isEmpty() || each.size() > request.keys().size()) {
                throw new IllegalStateException("a script answered about " + each.size() + " locks to "
                        + request.keys().size() + " keys");
            }
            return new InspectLock.Many.Answers(now, each);
        }
    }

    /**
     * The fields of a lock's hash, and the time at which they were read. A hold is live until its end, its length after its beginning,
     * which is never later than now. Other programs may have written anything: each entry is read by itself.
     */
    private static final class LockHash {

        private static final long NANOS_PER_MICRO = 1000;

        /** As in {@code queue.lua}. */
        private static final long HEARTBEAT_TIMEOUT_MICROS = 7_000_000;

        /** A position: heartbeat, mode, channel, and, if its client tells, since when and who waits, with a named owner on a second line. */
        private static final Pattern POSITION = Pattern.compile(
                "(?<beat>\\d+)(?<mode>[rs]?)(?<permits>\\d*):(?<channel>[^ ]*)( (?<since>\\d+) [^ ]* (?<who>[^\n]*)(\n(?<owner>.*))?)?",
                Pattern.DOTALL);

        /** As in {@code token.lua}. */
        private static final Pattern TOKEN = Pattern.compile("[0-9]{1,16}");

        private static final long LAST_TOKEN = (1L << 53) - 1;
        private static final int MOST_NAMED = 3;
        private static final int MOST_LETTERS_OF_A_NAME = 40;

        private final Map<String, String> fields;
        private final long omitted;
        private final long now;
        private final Set<String> unreadable = new LinkedHashSet<>();

        private record Live(String id, long end, long since) {}

        LockHash(Map<String, String> fields, long omitted, ServerTime now) {
            this.fields = fields;
            this.omitted = omitted;
            this.now = now.micros();
        }

        InspectLock.State state() {
            String owner = fields.get("own");
            boolean permits = OwnerKey.PERMITS.equals(owner);
            List<InspectLock.Hold> holds = live().stream()
                    .flatMap(hold -> read("h:" + hold.id, () -> hold(hold, permits)).stream())
                    .toList();
            boolean handsOff = fields.containsKey("tok") && !OwnerKey.READERS.equals(owner);
            String total = fields.getOrDefault("pt", "0");
            boolean changed = total.startsWith("=");
            return new InspectLock.State(
                    owner == null ? null : OwnerKey.read(owner),
                    holds,
                    token(fields.containsKey("tok") ? "tok" : "last"),
                    handsOff,
                    fields.getOrDefault("rt", "").startsWith(fields.getOrDefault("last", "0") + ':'),
                    read("pt", () -> Integer.parseInt(changed ? total.substring(1) : total))
                            .orElse(0),
                    changed,
                    waiters(),
                    problem());
        }

        /** Reads an entry by itself: another that cannot be read must not hide it. */
        private <T> Optional<T> read(String field, Supplier<T> reading) {
            try {
                return Optional.of(reading.get());
            } catch (RuntimeException e) {
                unreadable.add(field);
                return Optional.empty();
            }
        }

        private long number(String field) {
            return read(field, () -> Long.parseLong(fields.getOrDefault(field, "0")))
                    .orElse(0L);
        }

        /** A token as scripts read it. */
        private long token(String field) {
            return read(field, () -> {
                        String text = fields.getOrDefault(field, "0");
                        long token = TOKEN.matcher(text).matches() ? Long.parseLong(text) : Long.MAX_VALUE;
                        if (token > LAST_TOKEN) {
                            throw new IllegalArgumentException("no token");
                        }
                        return token;
                    })
                    .orElse(0L);
        }

        private String problem() {
            List<String> parts = new ArrayList<>();
            if (!unreadable.isEmpty()) {
                String named = unreadable.stream()
                        .limit(MOST_NAMED)
                        .map(field -> "'"
                                + Names.escape(field.substring(0, Math.min(field.length(), MOST_LETTERS_OF_A_NAME)))
                                + "'")
                        .collect(Collectors.joining(", "));
                int others = unreadable.size() - MOST_NAMED;
                parts.add("cannot be read: " + named + (others > 0 ? " and " + others + " more" : ""));
            }
            if (omitted > 0) {
                parts.add(omitted + " fields are too many or too long to be read");
            }
            return String.join("; ", parts);
        }

        private List<Live> live() {
            return fields.entrySet().stream()
                    .filter(field -> field.getKey().startsWith("h:"))
                    .flatMap(field ->
                            read(field.getKey(), () -> live(field.getKey().substring(2), field.getValue())).stream())
                    .filter(hold -> hold.end > now)
                    .sorted(Comparator.comparingLong(Live::since))
                    .toList();
        }

        private Live live(String id, String value) {
            String[] parts = value.split(":", -1);
            long end = Math.addExact(Math.min(Long.parseLong(parts[0]), now), Long.parseLong(parts[1]));
            return new Live(id, end, Long.parseLong(parts[2]));
        }

        private InspectLock.Hold hold(Live hold, boolean permits) {
            return new InspectLock.Hold(
                    OwnerKey.read(hold.id),
                    at(hold.since),
                    Math.multiplyExact(hold.end - now, NANOS_PER_MICRO),
                    permits ? Integer.parseInt(fields.getOrDefault("p:" + hold.id, "1")) : 1,
                    Holder.read(fields.getOrDefault("i:" + hold.id, ""), fields.getOrDefault("l:" + hold.id, "")));
        }

        private static Instant at(long micros) {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        private List<InspectLock.Waiting> waiters() {
            Map<Long, InspectLock.Waiting> positions = new TreeMap<>();
            fields.forEach((field, value) -> {
                if (field.startsWith("q:")) {
                    read(field, () -> Map.entry(Long.parseLong(field.substring(2)), waiting(value)))
                            .ifPresent(position -> positions.put(position.getKey(), position.getValue()));
                }
            });
            return List.copyOf(positions.values());
        }

        private InspectLock.Waiting waiting(String value) {
            Matcher position = POSITION.matcher(value);
            if (!position.matches()) {
                throw new IllegalArgumentException("no position");
            }
            boolean forPermits = position.group("mode").equals("s");
            String since = position.group("since");
            String owner = position.group("owner");
            return new InspectLock.Waiting(
                    position.group("mode").equals("r"),
                    forPermits ? Integer.parseInt(position.group("permits")) : 0,
                    now - lastHeartbeat(position) <= HEARTBEAT_TIMEOUT_MICROS,
                    since == null ? null : at(Long.parseLong(since)),
                    Holder.read(textOf(position.group("who")), ""),
                    owner == null ? null : OwnerKey.read(owner));
        }

        /** In a fair queue, a client has one heartbeat for all its positions. */
        private long lastHeartbeat(Matcher position) {
            String channel = position.group("channel");
            int shard = channel.indexOf('{');
            String client = shard < 0 ? channel : channel.substring(0, shard);
            return Math.max(Long.parseLong(position.group("beat")), number("b:" + client));
        }

        private static String textOf(@Nullable String group) {
            return group == null ? "" : group;
        }
    }
}
