package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.ReadKey;
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

    private static final String INCLUDE = "-- include: ";

    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");
    private static final AcquisitionId ID = new AcquisitionId("the id");
    private static final CountDownId COUNT_DOWN_ID = CountDownId.of(ID);
    private static final LockKey OTHER = LockKey.of(new KeyPrefix("leasehold"), "b");
    private static final AcquisitionId OTHER_ID = new AcquisitionId("another");
    private static final LockKey PLAIN = PlainKey.of("leasehold:{a}");
    private static final PlainScripts PLAIN_SCRIPTS = new PlainScripts();
    private static final Retention RETENTION = new Retention(Duration.ofMillis(6));

    /** A binding: how it is called with values that tell where they came from, and the names of these values. */
    record Binding(Set<? extends Enum<?>> codes, Script script, ScriptCall call, List<String> values) {

        Binding(Class<? extends Enum<?>> codes, Script script, ScriptCall call, List<String> values) {
            this(Set.of(codes.getEnumConstants()), script, call, values);
        }

        boolean plain() {
            return script.name().startsWith("plain_");
        }

        boolean latch() {
            return script.name().startsWith("latch_");
        }

        boolean join() {
            return script == QuorumScripts.JOIN;
        }

        /** The one with a key beside the lock, on servers that stand alone. */
        boolean marked() {
            return script == QuorumScripts.ACQUIRE;
        }

        /** What its headers call its key. */
        String keyWord() {
            return join() ? "marker" : plain() ? "key" : latch() ? "latch" : "lock";
        }

        @Override
        public String toString() {
            return script.name();
        }

        /** Whether it may have several keys, and arguments for each. */
        boolean many() {
            return call.keys().size() > 1 && !marked();
        }
    }

    static Stream<Binding> bindings() {
        return Stream.of(
                new Binding(
                        EnumSet.complementOf(EnumSet.of(AcquireScript.Code.PERMITS, AcquireScript.Code.UNDECIDED)),
                        AcquireScript.SCRIPT,
                        acquire(KEY, OwnerKey.anonymous(ID)),
                        ACQUIRE_VALUES),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(AcquireScript.Code.PERMITS, AcquireScript.Code.UNDECIDED)),
                        AcquireScript.NAMED,
                        acquire(KEY, OwnerKey.named("the owner")),
                        and(ACQUIRE_VALUES, "owner=n:the owner")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(AcquireScript.Code.PERMITS, AcquireScript.Code.UNDECIDED)),
                        AcquireScript.SHARED,
                        acquire(ReadKey.of(KEY), OwnerKey.anonymous(ID)),
                        ACQUIRE_VALUES),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(AcquireScript.Code.UNDECIDED)),
                        AcquireScript.PERMITS,
                        acquire(PermitKey.of(KEY, 10, 9), OwnerKey.anonymous(ID)),
                        and(ACQUIRE_VALUES, "permits=9", "total=10")),
                new Binding(
                        EnumSet.of(AcquireScript.Code.GRANTED, AcquireScript.Code.BUSY, AcquireScript.Code.UNDECIDED),
                        AcquireScript.FREE,
                        new AcquireScript(RETENTION)
                                .callIfFree(
                                        KEY,
                                        ID,
                                        new LeaseSpan(3_000),
                                        new ServerTime(4),
                                        new TokenFloor(5),
                                        new Holder("the process", "the thread", "the label"),
                                        99),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "floor=5",
                                "expiry=8",
                                "holder=the_process the thread",
                                "label=the label")),
                new Binding(
                        AcquireManyScript.Code.class,
                        AcquireManyScript.SCRIPT,
                        AcquireManyScript.call(
                                true,
                                List.of(
                                        new ScriptCall(
                                                AcquireScript.SCRIPT,
                                                List.of(KEY.key()),
                                                List.of("the id", "the owner"),
                                                98),
                                        new ScriptCall(
                                                AcquireScript.SCRIPT,
                                                List.of(OTHER.key()),
                                                List.of("another", "owner"),
                                                97)),
                                99),
                        List.of("whole=1", "count=2", "each=the id", "each=the owner", "each=another", "each=owner")),
                new Binding(
                        GoOnScript.Code.class,
                        GoOnScript.SCRIPT,
                        new GoOnScript(RETENTION).call(KEY, ID, new LeaseSpan(3_000), 4, 5, 99),
                        List.of("id=the id", "lease=3", "retention=6", "position=4", "tokens=5")),
                new Binding(
                        DowngradeScript.Code.class,
                        DowngradeScript.SCRIPT,
                        new DowngradeScript(RETENTION).call(KEY, ID, 99),
                        List.of("id=the id", "retention=6")),
                new Binding(
                        ChangePermitsScript.Code.class,
                        ChangePermitsScript.SCRIPT,
                        new ChangePermitsScript(RETENTION, true).call(KEY, 7, 99),
                        List.of("total=7", "retention=6", "countsReceivers=1")),
                new Binding(
                        ResumeScript.Code.class,
                        ResumeScript.SCRIPT,
                        new ResumeScript(RETENTION)
                                .call(
                                        KEY,
                                        ID,
                                        new ResumeScript.Former(OTHER_ID, new ServerTime(2)),
                                        new OwnerKey("the owner", "", true),
                                        new LeaseSpan(3_000),
                                        new ServerTime(4),
                                        new TokenFloor(5),
                                        new Holder("the process", "the thread", "the label"),
                                        99),
                        List.of(
                                "id=the id",
                                "former=another",
                                "owner=the owner",
                                "lease=3",
                                "notAfter=4",
                                "copies=2",
                                "floor=5",
                                "retention=6",
                                "holder=the_process the thread",
                                "label=the label")),
                new Binding(
                        RequestReleaseScript.Code.class,
                        RequestReleaseScript.SCRIPT,
                        new RequestReleaseScript(RETENTION).call(KEY, 99),
                        List.of("retention=6")),
                new Binding(
                        RenewScript.Code.class,
                        RenewScript.SCRIPT,
                        new RenewScript(RETENTION).call(KEY, ID, new LeaseSpan(3_000), 99),
                        List.of("id=the id", "lease=3", "retention=6")),
                new Binding(
                        RenewManyScript.Code.class,
                        RenewManyScript.SCRIPT,
                        new RenewManyScript(RETENTION)
                                .call(
                                        new LeaseSpan(3_000),
                                        List.of(
                                                new RenewManyScript.Entry(KEY, ID),
                                                new RenewManyScript.Entry(OTHER, OTHER_ID)),
                                        99),
                        List.of("lease=3", "retention=6", "id=the id", "id=another")),
                new Binding(
                        ReleaseScript.Code.class,
                        ReleaseScript.SCRIPT,
                        new ReleaseScript(RETENTION, true)
                                .call(KEY, ID, new LeaseSpan(3_000_000), true, new ServerTime(4), 99),
                        List.of("id=the id", "notAfter=4", "retention=6", "countsReceivers=1", "usual=0")),
                new Binding(
                        ForceReleaseScript.Code.class,
                        ForceReleaseScript.SCRIPT,
                        new ForceReleaseScript(RETENTION, true).call(KEY, 99),
                        List.of("retention=6", "countsReceivers=1")),
                new Binding(
                        LeaveScript.Code.class,
                        LeaveScript.SCRIPT,
                        new LeaveScript(false).call(KEY, new Waiter("the channel", 7), 99),
                        List.of("position=7", "channel=the channel", "countsReceivers=0")),
                new Binding(
                        LookManyScript.Code.class,
                        LookManyScript.SCRIPT,
                        new LookManyScript(RETENTION)
                                .call(
                                        List.of(
                                                new LookManyScript.Entry(KEY, new Waiter("the channel", 7)),
                                                new LookManyScript.Entry(OTHER, new Waiter("another", 8))),
                                        99),
                        List.of("retention=6", "waiter=7 the channel", "waiter=8 another")),
                new Binding(InspectScript.Code.class, InspectScript.SCRIPT, InspectScript.call(KEY, 99), List.of()),
                new Binding(
                        EnumSet.of(
                                AcquireScript.Code.GRANTED,
                                AcquireScript.Code.BUSY,
                                AcquireScript.Code.STALE,
                                AcquireScript.Code.FOREIGN),
                        PlainScripts.ACQUIRE,
                        PLAIN_SCRIPTS.acquire(
                                PLAIN,
                                ID,
                                OwnerKey.anonymous(ID),
                                new LeaseSpan(3_000),
                                new ServerTime(4),
                                new TokenFloor(5),
                                new Holder("the process", "the thread", "the label"),
                                Waiter.NONE,
                                99),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "holder=the_process the thread",
                                "label=the label")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(RenewScript.Code.ENDED, RenewScript.Code.ASKED)),
                        PlainScripts.RENEW,
                        PLAIN_SCRIPTS.renew(PLAIN, ID, new LeaseSpan(3_000), 99),
                        List.of("id=the id", "lease=3")),
                new Binding(
                        RenewManyScript.Code.class,
                        PlainScripts.RENEW_MANY,
                        PLAIN_SCRIPTS.renewMany(
                                new LeaseSpan(3_000),
                                List.of(
                                        new RenewManyScript.Entry(PLAIN, ID),
                                        new RenewManyScript.Entry(PlainKey.of("b"), OTHER_ID)),
                                99),
                        List.of("lease=3", "id=the id", "id=another")),
                new Binding(
                        EnumSet.complementOf(EnumSet.of(ReleaseScript.Code.ENDED)),
                        PlainScripts.RELEASE,
                        PLAIN_SCRIPTS.release(PLAIN, ID, new LeaseSpan(3_000), false, new ServerTime(4), 99),
                        List.of("id=the id")),
                new Binding(
                        ForceReleaseScript.Code.class,
                        PlainScripts.FORCE_RELEASE,
                        PLAIN_SCRIPTS.forceRelease(PLAIN, 99),
                        List.of()),
                new Binding(
                        LatchScripts.Setting.class,
                        LatchScripts.SET,
                        LatchScripts.set(KEY, COUNT_DOWN_ID, 2, new LeaseSpan(3_000), new ServerTime(4), 99),
                        List.of("id=the id", "count=2", "expiry=3", "notAfter=4")),
                new Binding(
                        LatchScripts.Counting.class,
                        LatchScripts.COUNT_DOWN,
                        LatchScripts.countDown(KEY, COUNT_DOWN_ID, new ServerTime(4), 99),
                        List.of("id=the id", "notAfter=4")),
                new Binding(
                        LatchScripts.Seen.class,
                        LatchScripts.LOOK,
                        LatchScripts.look(KEY, new Waiter("the channel", 7), 99),
                        List.of("channel=the channel", "position=7")),
                new Binding(
                        QuorumScripts.Acquiring.class,
                        QuorumScripts.ACQUIRE,
                        QuorumScripts.acquire(
                                new AcquireScript(RETENTION)
                                        .call(
                                                KEY,
                                                OTHER_ID,
                                                OwnerKey.anonymous(OTHER_ID),
                                                new LeaseSpan(3_000),
                                                new ServerTime(1),
                                                new TokenFloor(5),
                                                new Holder("the process", "the thread", "the label"),
                                                Waiter.NONE,
                                                98),
                                "the id",
                                new ServerTime(4),
                                QuorumScripts.marker(new KeyPrefix("leasehold")),
                                new LeaseSpan(7_000),
                                99),
                        List.of(
                                "id=the id",
                                "lease=3",
                                "notAfter=4",
                                "floor=5",
                                "retention=6",
                                "holder=the_process the thread",
                                "label=the label",
                                "longest=7")),
                new Binding(
                        QuorumScripts.Raising.class,
                        QuorumScripts.RAISE,
                        QuorumScripts.raise(KEY.key(), 7, RETENTION, 99),
                        List.of("token=7", "retention=6")),
                new Binding(
                        QuorumScripts.Joining.class,
                        QuorumScripts.JOIN,
                        QuorumScripts.join(QuorumScripts.marker(new KeyPrefix("leasehold")), new LeaseSpan(3_000), 99),
                        List.of("longest=3")),
                new Binding(
                        PlainScripts.Found.class, PlainScripts.INSPECT, PlainScripts.inspect(PLAIN, 99), List.of()));
    }

    private static final List<String> ACQUIRE_VALUES = List.of(
            "id=the id",
            "lease=3",
            "notAfter=4",
            "floor=5",
            "retention=6",
            "holder=the_process the thread",
            "label=the label",
            "channel=the channel",
            "position=7",
            "tokens=8",
            "fair=1");

    private static ScriptCall acquire(LockKey key, OwnerKey owner) {
        return new AcquireScript(RETENTION)
                .call(
                        key,
                        ID,
                        owner,
                        new LeaseSpan(3_000),
                        new ServerTime(4),
                        new TokenFloor(5),
                        new Holder("the process", "the thread", "the label"),
                        new Waiter("the channel", 7, 8, true),
                        99);
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
        if (binding.marked()) {
            documented.add("2marker");
            assertThat(binding.call.keys()).endsWith("leasehold:quorum");
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
        if (binding.join() || binding.toString().matches("(plain_)?renew|release|acquire_free")) {
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
                if (name.equals("results")) {
                    reply.addAll(List.of("gone", "taken", "renewed", "5"));
                    continue;
                }
                reply.addAll(name.equals("fields") ? List.of("v", "1") : List.of(name.equals("why") ? "taken" : "5"));
            }
            String parsed = parse(binding, reply).toString();
            assertThat(parsed)
                    .contains("code=" + one.getKey().toUpperCase(Locale.ROOT))
                    .contains("micros=9007199254740991");
            Matcher left = Pattern.compile("leftNanos=(\\d+)").matcher(parsed);
            assertThat(left.find() && left.group(1).equals("5000"))
                    .isEqualTo(one.getValue().contains("left us"));
        }
    }

    @ParameterizedTest
    @MethodSource("bindings")
    void aReplyOfAnotherVersionIsAnErrorThatQuotesIt(Binding binding) {
        assertThatThrownBy(() -> parse(binding, List.of("surprise", "5"))).hasMessageContaining("surprise");
        assertThatThrownBy(() -> parse(binding, List.of())).isInstanceOf(IllegalStateException.class);
    }

    private static Object parse(Binding binding, List<String> reply) {
        return switch (binding.toString()) {
            case "acquire", "acquire_named", "acquire_shared", "acquire_permits", "acquire_free", "plain_acquire" ->
                AcquireScript.parse(reply, new LeaseSpan(3_000));
            case "acquire_many" -> AcquireManyScript.parse(reply, 2);
            case "renew", "plain_renew" -> RenewScript.parse(reply);
            case "renew_many", "plain_renew_many" -> RenewManyScript.parse(reply, new LeaseSpan(3_000), 2);
            case "release", "plain_release" -> ReleaseScript.parse(reply);
            case "go_on" -> GoOnScript.parse(reply);
            case "change_permits" -> ChangePermitsScript.parse(reply);
            case "resume" -> ResumeScript.parse(reply);
            case "request_release" -> RequestReleaseScript.parse(reply);
            case "downgrade" -> DowngradeScript.parse(reply);
            case "leave" -> LeaveScript.parse(reply);
            case "look_many" -> LookManyScript.parse(reply, 2);
            case "force_release", "plain_force_release" -> ForceReleaseScript.parse(reply);
            case "latch_set" -> LatchScripts.parseSet(reply);
            case "latch_count_down" -> LatchScripts.parseCount(reply);
            case "latch_look" -> LatchScripts.parseLook(reply);
            case "quorum_acquire" -> QuorumScripts.acquired(reply);
            case "quorum_raise" -> QuorumScripts.raised(reply);
            case "quorum_join" -> QuorumScripts.joined(reply);
            case "plain_inspect" -> PlainScripts.inspected(reply);
            default -> InspectScript.parse(reply);
        };
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

    /** Rules that every script obeys, checked in its text. */
    @ParameterizedTest
    @MethodSource("bindings")
    void obeysTheRulesOfAllScripts(Binding binding) throws Exception {
        String code = binding.script.body().replaceAll("(?m)--.*$", "");
        assertThat(find("'TIME'", code)).as("TIME is read once").hasSize(1);
        if (!binding.marked()) {
            assertThat(code).as("one key at a time").doesNotContain("KEYS[2]");
        }
        assertThat(find("\\bKEYS\\b", code))
                .hasSize(binding.marked() ? 2 : binding.script == RenewManyScript.SCRIPT ? 3 : 1);
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
