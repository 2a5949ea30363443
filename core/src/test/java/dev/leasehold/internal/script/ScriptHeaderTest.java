package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** File name, header and code of each Lua resource say the same as its Java binding. */
class ScriptHeaderTest {

    private static final String INCLUDE = " *-- include: ";

    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");
    private static final LatchKey ROUND = new LatchKey(KEY).round(9);
    private static final AcquisitionId ID = new AcquisitionId("the id");
    private static final CountDownId COUNT_DOWN_ID = CountDownId.of(ID);
    private static final LockKey OTHER = LockKey.of(new KeyPrefix("leasehold"), "b");
    private static final AcquisitionId OTHER_ID = new AcquisitionId("another");
    private static final LockKey PLAIN = PlainKey.of("leasehold:{a}");
    private static final LockKey FENCED = RedissonKey.of("leasehold:{a}", true);
    private static final TokenMemory MEMORY = new TokenMemory(Duration.ofMillis(6));
    private static final ScriptBindings SCRIPTS = new ScriptBindings(MEMORY, true);
    private static final LeaseSpan LEASE = new LeaseSpan(3_000);
    private static final ServerTime NOT_AFTER = new ServerTime(4);
    private static final TokenFloor FLOOR = new TokenFloor(5);
    private static final Holder HOLDER = new Holder("the process", "the thread", "the label");
    private static final Waiter WAITER = new Waiter("the channel", 7, 8, true);

    /** A binding: a request with values that tell where they came from, its call, and the names of these values. */
    record Binding(
            Set<? extends Enum<?>> codes,
            Script script,
            StoreRequest<?> request,
            ScriptCall call,
            List<String> values) {

        Binding(Set<? extends Enum<?>> codes, Script script, StoreRequest<?> request, List<String> values) {
            this(codes, script, request, SCRIPTS.call(request), values);
        }

        Binding(Class<? extends Enum<?>> codes, Script script, StoreRequest<?> request, List<String> values) {
            this(Set.of(codes.getEnumConstants()), script, request, values);
        }

        boolean foreign() {
            return script.name().startsWith("plain_") || script.name().startsWith("redisson_");
        }

        boolean latch() {
            return script.name().startsWith("latch_");
        }

        boolean join() {
            return script == QuorumScripts.JOIN;
        }

        /** The name of the key that it has beside the lock; empty if there is none. */
        String second() {
            ForeignScripts redisson = ForeignScripts.REDISSON;
            boolean tokens =
                    script == redisson.acquire() || script == redisson.inspect() || script == redisson.forceRelease();
            return script == QuorumScripts.ACQUIRE ? "marker" : tokens ? "token" : "";
        }

        /** What its headers call its key. */
        String keyWord() {
            return join() ? "marker" : foreign() ? "key" : latch() ? "latch" : "lock";
        }

        @Override
        public String toString() {
            return script.name();
        }

        /** Whether it may have several keys, and arguments for each. */
        boolean many() {
            return call.keys().size() > 1 && second().isEmpty();
        }
    }

    static Stream<Binding> bindings() {
        return Stream.of(acquiring(), keeping(), plain(), redisson(), latches(), quorum())
                .flatMap(each -> each);
    }

    private static final List<String> ACQUIRE_VALUES = List.of(
            "id=the id",
            "lease=3",
            "notAfter=4",
            "floor=5",
            "remember=6",
            "holder=the_process the thread",
            "label=the label",
            "channel=the channel",
            "position=7",
            "tokens=8",
            "fair=1");

    private static Stream<Binding> acquiring() {
        Set<AcquireHold.Code> decided =
                EnumSet.complementOf(EnumSet.of(AcquireHold.Code.PERMITS, AcquireHold.Code.UNDECIDED));
        return Stream.of(
                new Binding(decided, AcquireScript.SCRIPT, acquire(KEY, ID, OwnerKey.anonymous(ID)), ACQUIRE_VALUES),
                new Binding(
                        decided,
                        AcquireScript.NAMED,
                        acquire(KEY, ID, OwnerKey.named("the owner")),
                        and(ACQUIRE_VALUES, "owner=n:the owner")),
                new Binding(
                        decided,
                        AcquireScript.SHARED,
                        acquire(ReadKey.of(KEY), ID, OwnerKey.anonymous(ID)),
                        ACQUIRE_VALUES),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(AcquireHold.Code.UNDECIDED)),
                        AcquireScript.PERMITS,
                        acquire(PermitKey.of(KEY, 10, 9), ID, OwnerKey.anonymous(ID)),
                        and(ACQUIRE_VALUES, "permits=9", "total=10")),
                new Binding(
                        EnumSet.of(AcquireHold.Code.GRANTED, AcquireHold.Code.BUSY, AcquireHold.Code.UNDECIDED),
                        AcquireFreeScript.SCRIPT,
                        new AcquireFreeLock(KEY, ID, LEASE, NOT_AFTER, FLOOR, HOLDER, 99),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "floor=5",
                                "expiry=8",
                                "holder=the_process the thread",
                                "label=the label")),
                new Binding(
                        CombinedScript.Code.class,
                        CombinedScript.SCRIPT,
                        new CombinedScript.Request(
                                List.of(new AcquireFreeLock(KEY, ID, LEASE, NOT_AFTER, FLOOR, HOLDER, 99)),
                                List.of(new ReleaseHold(OTHER, OTHER_ID, LEASE, true, ServerTime.NONE, 99)),
                                99),
                        List.of(
                                "acquisitions=1",
                                "each=the id",
                                "each=3",
                                "each=4",
                                "each=5",
                                "each=8",
                                "each=the_process the thread",
                                "each=the label",
                                "each=another")),
                new Binding(
                        AcquireManyScript.Code.class,
                        AcquireManyScript.SCRIPT,
                        new AcquireHolds(
                                true,
                                List.of(
                                        acquire(KEY, ID, OwnerKey.anonymous(ID)),
                                        acquire(OTHER, OTHER_ID, OwnerKey.anonymous(OTHER_ID))),
                                99),
                        and(
                                List.of("whole=1", "count=11"),
                                Stream.concat(ACQUIRE_VALUES.stream(), ofOther(ACQUIRE_VALUES))
                                        .map(value -> "each" + value.substring(value.indexOf('=')))
                                        .toArray(String[]::new))),
                new Binding(
                        ResumeHold.Code.class,
                        ResumeScript.SCRIPT,
                        new ResumeHold(
                                KEY,
                                ID,
                                new ResumeHold.Former(OTHER_ID, new ServerTime(2)),
                                new OwnerKey("the owner", "", true),
                                LEASE,
                                NOT_AFTER,
                                FLOOR,
                                HOLDER,
                                99),
                        List.of(
                                "id=the id",
                                "former=another",
                                "owner=the owner",
                                "lease=3",
                                "notAfter=4",
                                "copies=2",
                                "floor=5",
                                "remember=6",
                                "holder=the_process the thread",
                                "label=the label")));
    }

    /** The same values, but the id of the other acquisition. */
    private static Stream<String> ofOther(List<String> values) {
        return values.stream().map(value -> value.equals("id=the id") ? "id=another" : value);
    }

    private static AcquireHold acquire(LockKey key, AcquisitionId id, OwnerKey owner) {
        return new AcquireHold(key, id, owner, LEASE, NOT_AFTER, FLOOR, HOLDER, WAITER, 99);
    }

    private static Stream<Binding> keeping() {
        return Stream.of(
                new Binding(
                        ContinueHandOff.Code.class,
                        GoOnScript.Retain.SCRIPT,
                        new ContinueHandOff.Retain(KEY, ID, LEASE, 4, "the channel", true, 99),
                        List.of("id=the id", "lease=3", "remember=6", "last=4", "channel=the channel", "again=1")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(ContinueHandOff.Code.SPENT)),
                        GoOnScript.SCRIPT,
                        new ContinueHandOff(KEY, ID, LEASE, 4, 5, 99),
                        List.of("id=the id", "lease=3", "remember=6", "position=4", "tokens=5")),
                new Binding(
                        DowngradeHold.Code.class,
                        DowngradeScript.SCRIPT,
                        new DowngradeHold(KEY, ID, FLOOR, 8, 99),
                        List.of("id=the id", "remember=6", "floor=5", "given=8")),
                new Binding(
                        ChangePermits.Code.class,
                        ChangePermitsScript.SCRIPT,
                        new ChangePermits(KEY, 7, NOT_AFTER, 99),
                        List.of("total=7", "notAfter=4", "remember=6", "countsReceivers=1")),
                new Binding(
                        RequestRelease.Code.class,
                        RequestReleaseScript.SCRIPT,
                        new RequestRelease(KEY, NOT_AFTER, 99),
                        List.of("notAfter=4", "remember=6")),
                new Binding(
                        RenewHold.Code.class,
                        RenewScript.SCRIPT,
                        new RenewHold(KEY, ID, LEASE, 99),
                        List.of("id=the id", "lease=3", "remember=6")),
                new Binding(
                        RenewManyScript.Code.class,
                        RenewManyScript.SCRIPT,
                        new RenewHolds(
                                LEASE,
                                List.of(new RenewHolds.Entry(KEY, ID), new RenewHolds.Entry(OTHER, OTHER_ID)),
                                99),
                        List.of("lease=3", "remember=6", "id=the id", "id=another")),
                new Binding(
                        RenewManyScript.Code.class,
                        RenewManyScript.CONFIRM,
                        new RenewHolds(
                                LeaseSpan.CONFIRM,
                                List.of(new RenewHolds.Entry(KEY, ID), new RenewHolds.Entry(OTHER, OTHER_ID)),
                                99),
                        List.of("remember=6", "id=the id", "id=another")),
                new Binding(
                        ReleaseHold.Code.class,
                        ReleaseScript.SCRIPT,
                        new ReleaseHold(
                                KEY, ID, new LeaseSpan(3_000_000), true, NOT_AFTER, new ReleaseHold.Tokens(5, 8), 99),
                        List.of(
                                "id=the id",
                                "notAfter=4",
                                "remember=6",
                                "countsReceivers=1",
                                "usual=0",
                                "used=5",
                                "last=8")),
                new Binding(
                        ForceRelease.Code.class,
                        ForceReleaseScript.SCRIPT,
                        new ForceRelease(KEY, 5, NOT_AFTER, 99),
                        List.of("notAfter=4", "token=5", "remember=6", "countsReceivers=1", "cursor=0")),
                new Binding(
                        LeaveQueue.Code.class,
                        LeaveScript.SCRIPT,
                        new LeaveQueue(KEY, WAITER, ID, 99),
                        List.of("position=7", "channel=the channel", "countsReceivers=1", "id=the id")),
                new Binding(
                        LookManyScript.Code.class,
                        LookManyScript.SCRIPT,
                        new SendHeartbeats(
                                List.of(
                                        new SendHeartbeats.Entry(KEY, WAITER),
                                        new SendHeartbeats.Entry(OTHER, new Waiter("another", 8))),
                                99),
                        List.of("remember=6", "waiter=7 the channel", "waiter=8 another")),
                new Binding(InspectLock.Code.class, InspectScript.SCRIPT, new InspectLock(KEY, 99), List.of()),
                new Binding(
                        InspectScript.Many.Code.class,
                        InspectScript.Many.SCRIPT,
                        new InspectLock.Many(List.of(KEY, OTHER), 99),
                        List.of()));
    }

    private static Stream<Binding> plain() {
        return foreign(
                ForeignScripts.PLAIN,
                PLAIN,
                PlainKey.of("b"),
                EnumSet.complementOf(EnumSet.of(ForceRelease.Code.OTHER, ForceRelease.Code.MORE)),
                0,
                "channel=");
    }

    private static Stream<Binding> redisson() {
        return foreign(
                ForeignScripts.REDISSON,
                FENCED,
                RedissonKey.of("b", false),
                EnumSet.complementOf(EnumSet.of(ForceRelease.Code.MORE)),
                5,
                "channel=redisson_lock__channel:leasehold:{a}");
    }

    private static Stream<Binding> foreign(
            ForeignScripts scripts,
            LockKey key,
            LockKey other,
            EnumSet<ForceRelease.Code> forced,
            long token,
            String channel) {
        return Stream.of(
                new Binding(
                        EnumSet.of(
                                AcquireHold.Code.GRANTED,
                                AcquireHold.Code.BUSY,
                                AcquireHold.Code.STALE,
                                AcquireHold.Code.FOREIGN),
                        scripts.acquire(),
                        acquire(key, ID, OwnerKey.anonymous(ID)),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "holder=the_process the thread",
                                "label=the label")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(RenewHold.Code.ENDED, RenewHold.Code.ASKED)),
                        scripts.renew(),
                        new RenewHold(key, ID, LEASE, 99),
                        List.of("id=the id", "lease=3")),
                new Binding(
                        RenewManyScript.Code.class,
                        scripts.renewMany(),
                        new RenewHolds(
                                LEASE,
                                List.of(new RenewHolds.Entry(key, ID), new RenewHolds.Entry(other, OTHER_ID)),
                                99),
                        List.of("lease=3", "id=the id", "id=another")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(ReleaseHold.Code.ENDED)),
                        scripts.release(),
                        new ReleaseHold(key, ID, LEASE, false, NOT_AFTER, 99),
                        List.of("id=the id", channel)),
                new Binding(
                        forced,
                        scripts.forceRelease(),
                        new ForceRelease(key, token, NOT_AFTER, 99),
                        token == 0
                                ? List.of("notAfter=4", channel, "any=0")
                                : List.of("notAfter=4", "token=5", channel)),
                new Binding(
                        ForeignScripts.InspectBinding.Code.class,
                        scripts.inspect(),
                        new InspectLock(key, 99),
                        List.of()));
    }

    private static Stream<Binding> latches() {
        return Stream.of(
                new Binding(
                        SetLatch.Code.class,
                        LatchScripts.SET,
                        new SetLatch(ROUND, COUNT_DOWN_ID, 2, LEASE, NOT_AFTER, 99),
                        List.of("id=the id", "count=2", "expiry=3", "notAfter=4", "round=9")),
                new Binding(
                        CountDown.Code.class,
                        LatchScripts.COUNT_DOWN,
                        new CountDown(ROUND, COUNT_DOWN_ID, NOT_AFTER, 99),
                        List.of("id=the id", "notAfter=4", "round=9")),
                new Binding(
                        ReadLatch.Code.class,
                        LatchScripts.LOOK,
                        new ReadLatch(ROUND, WAITER, 99),
                        List.of("channel=the channel", "position=7", "round=9")));
    }

    private static Stream<Binding> quorum() {
        String marker = QuorumRequest.marker(new KeyPrefix("leasehold"));
        return Stream.of(
                new Binding(
                        QuorumRequest.Acquiring.class,
                        QuorumScripts.ACQUIRE,
                        new QuorumRequest.Acquire(
                                KEY, ID, LEASE, NOT_AFTER, FLOOR, HOLDER, marker, new LeaseSpan(7_000), 99),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "floor=5",
                                "remember=6",
                                "holder=the_process the thread",
                                "label=the label",
                                "longest=7")),
                new Binding(
                        QuorumRequest.Raising.class,
                        QuorumScripts.RAISE,
                        new QuorumRequest.Raise(KEY, 7, 99),
                        List.of("token=7", "remember=6")),
                new Binding(
                        QuorumRequest.Joining.class,
                        QuorumScripts.JOIN,
                        new QuorumRequest.Join(marker, LEASE, 99),
                        List.of("longest=3")));
    }

    private static List<String> and(List<String> values, String... more) {
        return Stream.concat(values.stream(), Stream.of(more)).toList();
    }

    private static Path directory() throws Exception {
        return Path.of(Scripts.class.getResource("acquire.lua").toURI()).getParent();
    }

    private static String source(String name) throws Exception {
        return Files.readString(directory().resolve(name + ".lua"));
    }

    /** The comment at the head of a file. */
    private static String header(String name) throws Exception {
        return source(name).lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n"));
    }

    private static Stream<MatchResult> find(String regex, String text) {
        return Pattern.compile(regex, Pattern.MULTILINE).matcher(text).results();
    }

    @Test
    void everyFileHasABindingAndEveryBindingAFile() throws Exception {
        Set<String> bound = bindings().map(Binding::toString).collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(directory())) {
            Set<String> scripts = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".lua"))
                    .map(file -> file.substring(0, file.length() - 4))
                    .collect(Collectors.toSet());
            assertThat(scripts).isEqualTo(bound);
        }
        for (Binding binding : bindings().toList()) {
            assertThat(header(binding.toString())).startsWith("-- " + binding + ": ");
        }
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void keysAreThoseOfTheHeader(Binding binding) throws Exception {
        List<String> documented = new ArrayList<>(List.of((binding.many() ? "n" : "1") + binding.keyWord()));
        if (!binding.second().isEmpty()) {
            documented.add("2" + binding.second());
            assertThat(binding.call.keys())
                    .endsWith(
                            binding.second().equals("marker")
                                    ? "leasehold:quorum"
                                    : "redisson_lock_token:leasehold:{a}");
        }
        assertThat(find("^-- KEYS\\[(\\w+)] (\\w+)", header(binding.toString())).map(m -> m.group(1) + m.group(2)))
                .isEqualTo(documented);
        assertThat(binding.call.keys())
                .startsWith(binding.join() ? "leasehold:quorum" : "leasehold:{a}")
                .hasSize(binding.many() ? 2 : documented.size());
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void argumentsAreThoseOfTheHeaderInItsOrder(Binding binding) throws Exception {
        List<String> documented = arguments(binding);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < documented.size(); i++) {
            sent.add(documented.get(i) + "=" + binding.call.args().get(i));
        }
        assertThat(sent).isEqualTo(binding.values);
        assertThat(binding.call.args()).hasSameSizeAs(documented);
        assertThat(binding.call.timeoutNanos()).isEqualTo(99);
        assertThat(binding.call.script()).isSameAs(binding.script);
    }

    /** The names of the arguments in the order of the header; those that each key has, once for each. */
    private static List<String> arguments(Binding binding) throws Exception {
        Map<Integer, String> names = new TreeMap<>();
        find("^-- ARGV\\[(?:(n)\\+)?(\\d+)] (\\w+): ", header(binding.toString()))
                .forEach(m -> {
                    for (int n = 1; n <= binding.call.keys().size(); n++) {
                        int index = Integer.parseInt(m.group(2)) + (m.group(1) == null ? 0 : n);
                        names.put(index, m.group(3));
                    }
                });
        // What another script has as its arguments, here for each key one after another.
        find("^-- ARGV\\[first\\+i] (\\w+): ", header(binding.toString())).forEach(m -> {
            for (int n = names.size() + 1; n <= binding.call.args().size(); n++) {
                names.put(n, m.group(1));
            }
        });
        assertThat(names.keySet())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, names.size()).boxed().toList());
        return List.copyOf(names.values());
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void theScriptReadsExactlyTheArgumentsOfItsHeader(Binding binding) throws Exception {
        boolean inParts = binding.toString().matches("acquire(_named|_shared|_permits)?");
        String code = (inParts ? binding.script.body() : source(binding.toString())).replaceAll("(?m)^--.*$", "");
        Set<String> read = find((inParts ? "args" : "ARGV") + "\\[([^]]+)]", code)
                .map(m -> m.group(1).replace(" ", ""))
                .collect(Collectors.toSet());
        Set<String> documented = find("^-- ARGV\\[([^]]+)]", header(binding.toString()))
                .map(m -> m.group(1))
                .collect(Collectors.toSet());
        assertThat(read).isEqualTo(documented);
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void codesAreThoseOfTheHeaderAndOfTheScript(Binding binding) throws Exception {
        List<String> codes = binding.codes.stream()
                .map(code -> code.name().toLowerCase(Locale.ROOT))
                .toList();
        assertThat(documented(binding).keySet()).containsExactlyInAnyOrderElementsOf(codes);
        String code =
                (binding.many() ? source(binding.toString()) : binding.script.body()).replaceAll("(?m)^--.*$", "");
        Set<String> returned = find("(?:return|answer =) (?:nil, )?\\{(?:[^{}']* and )?'(\\w+)'(?: or '(\\w+)')?", code)
                .flatMap(m -> Stream.of(m.group(1), m.group(2)))
                .filter(word -> word != null)
                .collect(Collectors.toSet());
        find("table\\.insert\\(answer, 1, '(\\w+)'\\)", code).forEach(m -> returned.add(m.group(1)));
        if (binding.join()
                || binding.toString()
                        .matches("renew|release|acquire_free|combined"
                                + "|(plain_|redisson_)(renew|release|force_release|inspect)")) {
            find("return '(\\w+)(?:'| ' \\.\\. now_text)", code).forEach(m -> returned.add(m.group(1)));
        }
        assertThat(returned).containsExactlyInAnyOrderElementsOf(codes);
    }

    /** Code to the names of what follows it. */
    private static Map<String, List<String>> documented(Binding binding) throws Exception {
        Map<String, List<String>> documented = new TreeMap<>();
        find("^-- RETURN (\\w+), ([^:]*): ", header(binding.toString()))
                .forEach(m -> documented.put(m.group(1), List.of(m.group(2).split(", "))));
        return documented;
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void everyReplyOfTheHeaderIsUnderstood(Binding binding) throws Exception {
        for (Map.Entry<String, List<String>> one : documented(binding).entrySet()) {
            assertThat(one.getValue().get(0))
                    .as("the time comes with every reply")
                    .isEqualTo("now us");
            List<String> reply = new ArrayList<>(List.of(one.getKey(), "9007199254740991"));
            for (String name : one.getValue().subList(1, one.getValue().size())) {
                reply.addAll(
                        switch (name) {
                            case "results", "locks" -> results(binding);
                            case "fields" -> List.of("v", "1");
                            case "why" -> List.of("taken");
                            default -> List.of("5");
                        });
            }
            String parsed = parse(binding, reply).toString();
            assertThat(parsed).contains("micros=9007199254740991").contains(outcomes(binding, one.getKey()));
            Matcher left = Pattern.compile("leftNanos=(\\d+)").matcher(parsed);
            assertThat(left.find() && left.group(1).equals("5000"))
                    .isEqualTo(one.getValue().contains("left us"));
        }
    }

    /** What a script of many locks answers about the two of the request. */
    private static List<String> results(Binding binding) {
        return switch (binding.toString()) {
            case "acquire_many" -> List.of("foreign", "a hash", "granted", "5 7");
            case "look_many" -> List.of("stays", "", "head", "5");
            case "combined" -> List.of("busy:7", "released");
            case "inspect_many" -> List.of("2", "foreign", "a hash", "4", "lock", "0", "v", "1");
            default -> List.of("gone", "taken", "renewed", "5");
        };
    }

    /** What the answer says in the place of the first word of a reply. */
    private static List<String> outcomes(Binding binding, String word) {
        return switch (binding + " " + word) {
            case "acquire_many each" -> List.of("code=FOREIGN", "code=GRANTED");
            case "combined each" -> List.of("code=BUSY", "code=RELEASED");
            case "combined all" -> List.of("code=GRANTED", "code=RELEASED");
            case "look_many each" -> List.of("code=STAYS", "code=HEAD");
            case "inspect_many each" -> List.of("code=FOREIGN", "code=LOCK");
            case "renew_many each", "confirm_many each", "plain_renew_many each", "redisson_renew_many each" ->
                List.of("code=GONE", "code=RENEWED");
            case "renew_many all", "confirm_many all", "plain_renew_many all", "redisson_renew_many all" ->
                List.of("code=RENEWED");
            case "plain_inspect held", "redisson_inspect held" -> List.of("code=LOCK", "holds=[Hold[");
            case "plain_inspect free", "redisson_inspect free" -> List.of("code=LOCK", "holds=[]");
            default -> List.of("code=" + word.toUpperCase(Locale.ROOT));
        };
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void aReplyOfAnotherVersionIsAnErrorThatQuotesIt(Binding binding) {
        assertThatThrownBy(() -> parse(binding, List.of("surprise", "5"))).hasMessageContaining("surprise");
        assertThatThrownBy(() -> parse(binding, List.of())).isInstanceOf(IllegalStateException.class);
    }

    private static Object parse(Binding binding, List<String> reply) {
        return SCRIPTS.read(binding.request, reply);
    }

    @Test
    void aServerThatCountsNoReceiversIsAskedForNone() {
        ScriptBindings others = new ScriptBindings(MEMORY, false);
        assertThat(others.call(new LeaveQueue(KEY, WAITER, ID, 99)).args().get(2))
                .isEqualTo("0");
        assertThat(others.call(new ForceRelease(KEY, 0, NOT_AFTER, 99)).args().get(3))
                .isEqualTo("0");
        assertThat(others.call(new ChangePermits(KEY, 7, NOT_AFTER, 99)).args()).endsWith("0");
        assertThat(others.call(new ReleaseHold(KEY, ID, LEASE, false, NOT_AFTER, 99))
                        .args()
                        .get(3))
                .isEqualTo("0");
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void whatIsSentIsTheHeaderAndTheCodeThatIsUsedAndItsDigestFits(Binding binding) throws Exception {
        String body = binding.script.body();
        String code = body.substring(header(binding.toString()).length());
        assertThat(body).startsWith(header(binding.toString()));
        assertThat(code)
                .as("comments and constants")
                .doesNotContain("--")
                .doesNotContainPattern("local [A-Z_]{2,} = [^{]");
        assertThat(find("^local function (\\w+)\\(", code)
                        .map(function -> function.group(1))
                        .filter(name -> find("\\b" + name + "\\b", code).count() < 2))
                .as("functions that nothing uses")
                .isEmpty();
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
        assertThat(binding.script.sha1()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    /** Returns the parts that a file includes, and those that these include. */
    private static Set<String> parts(String file, Set<String> parts) throws Exception {
        for (MatchResult include : find("^" + INCLUDE + "(.*)$", source(file)).toList()) {
            for (String part : include.group(1).split(", ")) {
                if (parts.add(part)) {
                    parts("part/" + part, parts);
                }
            }
        }
        return parts;
    }

    @Test
    void everyPartIsUsed() throws Exception {
        Set<String> used = new HashSet<>();
        for (Binding binding : bindings().toList()) {
            parts(binding.toString(), used);
        }
        try (Stream<Path> files = Files.list(directory().resolve("part"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".lua", "")))
                    .containsExactlyInAnyOrderElementsOf(used);
        }
    }

    private static int keysRead(Binding binding) {
        if (binding.script == CombinedScript.SCRIPT) {
            // Two functions have KEYS of their own.
            return 1 + 2 * 2;
        }
        if (binding.script == AcquireManyScript.SCRIPT || binding.script == LookManyScript.SCRIPT) {
            // Their number is read, too.
            return 2;
        }
        boolean usualCaseFirst = binding.script == RenewManyScript.SCRIPT || binding.script == RenewManyScript.CONFIRM;
        return !binding.second().isEmpty() ? 2 : usualCaseFirst ? 3 : 1;
    }

    /** Rules that every script obeys, checked in its text. */
    @ParameterizedTest
    @MethodSource("bindings")
    void obeysTheRulesOfAllScripts(Binding binding) throws Exception {
        String code = binding.script.body().replaceAll("(?m)--.*$", "");
        assertThat(find("'TIME'", code)).as("TIME is read once").hasSize(1);
        if (binding.second().isEmpty()) {
            assertThat(code).as("one key at a time").doesNotContain("KEYS[2]");
        }
        assertThat(find("\\bKEYS\\b", code)).hasSize(keysRead(binding));
        assertThat(code).as("numbers leave as strings").doesNotContain("''..", "tostring(");
        assertThat(code)
                .as("no flags line: a script that declares keys this way runs on 6.2")
                .doesNotContain("#!lua");
    }

    @Test
    void theResourcesAreAscii() throws IOException, Exception {
        for (Binding binding : bindings().toList()) {
            assertThat(binding.script.body()).isASCII();
        }
    }
}
