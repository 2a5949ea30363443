package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client written from {@code docs/protocol.md} shares locks with Leasehold, and the fields are those of its table.
 */
@WithRedis
class ProtocolDocumentIT {

    private static final String KEY = "leasehold:{x}";
    private static final String ID = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final String OTHER = "BBBBBBBBBBBBBBBBBBBBBA";

    private final EmbeddedRedis redis;
    private final HandWrittenClient client;
    private final Set<String> fields = new TreeSet<>();
    private Leasehold leasehold;

    ProtocolDocumentIT(EmbeddedRedis redis) {
        this.redis = redis;
        this.client = new HandWrittenClient(redis, KEY);
    }

    @BeforeEach
    void connect() {
        RedirectingProvider.leadTo(redis.uri());
        leasehold = Leasehold.connect("redis://localhost:6379");
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void eitherTheClientOrLeaseholdHoldsTheLock() throws Exception {
        long later = client.time() + 60_000_000;
        List<String> granted = client.acquire(ID, ID, 30, later);
        assertThat(granted).hasSize(4).startsWith("granted");
        assertThat(leasehold.lock("x").tryAcquire()).isEmpty();

        assertThat(client.release(ID, 0)).startsWith("released");
        try (Lease lease = leasehold.lock("x").acquire()) {
            assertThat(lease.fencingToken()).isGreaterThan(Long.parseLong(granted.get(3)));
            assertThat(client.acquire(OTHER, OTHER, 30, later)).startsWith("busy");
        }
        assertThat(client.acquire(OTHER, OTHER, 30, later)).startsWith("granted");
    }

    @Test
    void theLeanScriptAcquiresAFreeLockAndLeavesOtherCasesToTheFullOne() throws Exception {
        long later = client.time() + 60_000_000;
        assertThat(client.acquireFree(ID, 30, later)).hasSize(2).startsWith("granted");
        assertThat(client.acquireFree(OTHER, 30, later)).hasSize(3).startsWith("busy");
        assertThat(leasehold.lock("x").tryAcquire()).isEmpty();
        assertThat(client.releaseUsual(ID)).containsExactly("released");

        client.acquire(ID, "n:order-17", 30, later);
        assertThat(client.acquireFree(OTHER, 30, later)).hasSize(2).startsWith("undecided");
        assertThat(client.acquire(OTHER, OTHER, 30, later)).startsWith("busy");
    }

    @Test
    void leaseholdShowsItsHolder() {
        client.acquire(ID, "n:order-17", 30, client.time() + 5_000_000);
        LockInfo info = leasehold.lock("x").inspect().orElseThrow();
        assertThat(info.owner()).isEqualTo("order-17");
        assertThat(info.host()).isEqualTo("elsewhere");
        assertThat(info.pid()).isEqualTo(1);
        assertThat(info.thread()).isEqualTo("worker");
        assertThat(info.label()).isEqualTo("by hand");
    }

    @Test
    void aNamedOwnerIsTheSameInBoth() throws Exception {
        List<String> granted = client.acquire(ID, "n:order-17", 30, client.time() + 5_000_000);
        try (Lease lease = leasehold.lock("x").ownedBy("order-17").acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(Long.parseLong(granted.get(3)));
            client.release(ID, 0);
            lease.ensureHeld();
        }
    }

    @Test
    void aRepeatFindsItsOwnHoldAndALateOneIsRefused() {
        long later = client.time() + 60_000_000;
        List<String> first = client.acquire(ID, ID, 30, later);
        List<String> second = client.acquire(ID, ID, 60, later);
        assertThat(second.get(3)).isEqualTo(first.get(3));
        assertThat(Long.parseLong(second.get(2))).isLessThan(30_000_000);

        assertThat(client.release(ID, later)).startsWith("released");
        assertThat(client.acquire(ID, ID, 30, later)).startsWith("stale");
        assertThat(client.acquire(OTHER, OTHER, 30, client.time() - 1)).startsWith("stale");
    }

    @Test
    void renewsTheHoldsOfSeveralLocksInOneCall() {
        long later = client.time() + 60_000_000;
        client.acquire(ID, ID, 30, later);
        new HandWrittenClient(redis, "leasehold:{y}").acquire(OTHER, OTHER, 30, later);
        Map<String, String> ids = new TreeMap<>(Map.of(KEY, ID, "leasehold:{y}", OTHER, "leasehold:{z}", ID));
        List<String> answer = client.renewMany(ids, 60);
        assertThat(answer).startsWith("each");
        assertThat(answer.subList(2, 8)).containsExactly("renewed", "60000000", "renewed", "60000000", "gone", "free");
    }

    @Test
    void aForcedReleaseIsNoticed() throws Exception {
        Lease lease = leasehold.lock("x").acquire();
        assertThat(client.forceRelease()).startsWith("freed");
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theFieldsAreThoseOfTheTable() throws Exception {
        long later = client.time() + 60_000_000;
        client.acquireFree(ID, 30, later);
        look();
        client.releaseUsual(ID);
        retain();
        client.acquire(ID, "n:order-17", 30, later);
        look();
        client.acquire(OTHER, "n:order-17", 30, later);
        client.renew(OTHER, 60);
        look();
        client.release(ID, later);
        look();
        client.forceRelease();
        look();
        Lease lease = leasehold.lock("x").acquire();
        look();
        leasehold.lock("x").requestRelease();
        look();
        lease.close();
        look();
        try (Lease reader = leasehold.readWriteLock("x").readLock().acquire()) {
            assertThat(reader.isHeld()).isTrue();
            look();
        }
        try (Lease permits = leasehold.semaphore("x", 3).atOnce(2).acquire()) {
            assertThat(permits.isHeld()).isTrue();
            look();
        }
        queue(later);
        refusedWakeUp(later);
        fairQueue(later);
        manyPermits(later);

        Set<String> documented = Documents.withPages("docs/protocol.md").rowsWithId().stream()
                .filter(row -> row.id().startsWith("field-"))
                .flatMap(row -> Stream.of(plain(row.cells().get(0)).split(", ")))
                .collect(Collectors.toSet());
        assertThat(fields).containsExactlyInAnyOrderElementsOf(documented);
    }

    /** A client retains the hold of a lease that it has released. */
    private void retain() throws Exception {
        DistributedLock retained = leasehold
                .lock("x")
                .with(LockOptions.builder().retainFor(Duration.ofSeconds(1)).build());
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            retained.acquire().release();
            look();
            return fields.contains("rt");
        });
        client.forceRelease();
    }

    /** Three clients wait, the second leaves, the lock is reserved for the first, and all finish. */
    private void queue(long later) {
        client.acquire("holder", "holder", 30, later);
        List<String> positions = new ArrayList<>();
        for (String channel : List.of("one", "two", "three")) {
            positions.add(
                    client.acquire(channel, channel, 30, later, channel, "0").get(3));
        }
        assertThat(client.leave(positions.get(1), "two")).startsWith("left");
        client.acquire("three", "three", 30, later, "three", positions.get(2));
        look();
        client.forceRelease();
        look();
        client.leave(positions.get(0), "one");
        client.leave(positions.get(2), "three");
    }

    /** Redis refuses to publish the wake-up of a waiter. */
    private void refusedWakeUp(long later) throws Exception {
        redis.command("ACL", "SETUSER", "default", "-publish");
        try {
            Lease held = leasehold.lock("x").acquire();
            String position =
                    client.acquire("waiter", "waiter", 30, later, "one", "0").get(3);
            held.release();
            look();
            client.leave(position, "one");
        } finally {
            redis.command("ACL", "SETUSER", "default", "+publish");
        }
    }

    /**
     * One client holds the lock also for others of its process, while another waits fairly; the holder asks to
     * continue.
     */
    private void fairQueue(long later) {
        assertThat(client.acquire("many", "many", 30, later, "", "0", "10", "0"))
                .startsWith("granted")
                .hasSize(5);
        look();
        client.acquire("fair", "fair", 30, later, "four", "0", "1", "1");
        look();
        assertThat(client.goOn("many", 30, "0", 10)).startsWith("wanted");
        look();
        client.release("many", 0);
        look();
    }

    /** A hash of more than 512 fields, in which a permit has ended, is read in pages. */
    private void manyPermits(long later) throws Exception {
        String key = "leasehold:{many}";
        HandWrittenClient holders = new HandWrittenClient(redis, key);
        for (int i = 0; i < 600; i++) {
            assertThat(holders.acquirePermits("long" + i, 30_000_000, later, 1, 601))
                    .startsWith("granted");
        }
        assertThat(holders.acquirePermits("short", 1_000, later, 1, 601)).startsWith("granted");
        long ended = holders.time() + 1_000;
        await().until(() -> holders.time() > ended);
        assertThat(holders.acquirePermits("all", 1_000, later, 601, 601)).startsWith("busy");
        assertThat(hash(key)).containsKey("rc");
        look(key);
    }

    private void look() {
        look(KEY);
    }

    private void look(String key) {
        hash(key).forEach((field, value) -> {
            if (!field.startsWith("q:")) {
                assertThat(value.getBytes().length).as(field).isLessThan(64);
            }
            fields.add(field.replaceFirst(
                    ":.*", field.startsWith("q:") ? ":<n>" : field.startsWith("b:") ? ":<channel>" : ":<id>"));
            if (field.startsWith("h:")) {
                assertThat(value).matches("\\d+:\\d+:\\d+");
            }
            if (field.equals("rc")) {
                assertThat(value).matches("\\d+:\\d+:\\d+");
            }
        });
    }

    @Test
    void theExampleIsCorrect() {
        Markdown.Block block =
                Documents.markdown("docs/protocol.md").marked("example-call").get(0);
        List<String> words =
                new ArrayList<>(Arrays.asList(block.text().strip().split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")));
        assertThat(words.get(0)).isEqualTo("EVALSHA");
        words.replaceAll(word -> word.replace("\"", ""));
        words.set(1, String.valueOf(redis.command("SCRIPT", "LOAD", LuaFiles.script("acquire"))));
        words.set(6, String.valueOf(client.time() + 5_000_000));

        List<?> answer = (List<?>) redis.command(words.toArray(String[]::new));

        assertThat(answer.get(0)).isEqualTo("granted");
        Map<String, String> documented = new HashMap<>();
        Documents.markdown("docs/protocol.md").rows().stream()
                .filter(row -> row.cells().size() == 2 && row.cells().get(1).startsWith("`"))
                .forEach(row -> documented.put(
                        plain(row.cells().get(0)), plain(row.cells().get(1))));
        Map<String, String> hash = hash("leasehold:{lottery:2026-11-21}");
        assertThat(hash.keySet()).isEqualTo(withoutKeys(documented).keySet());
        assertThat(withoutTimes(hash)).isEqualTo(withoutTimes(withoutKeys(documented)));
    }

    private static Map<String, String> withoutKeys(Map<String, String> documented) {
        Map<String, String> left = new HashMap<>(documented);
        left.values().removeIf(value -> value.startsWith("leasehold:{"));
        return left;
    }

    private static Map<String, String> withoutTimes(Map<String, String> hash) {
        Map<String, String> left = new HashMap<>(hash);
        left.replaceAll((field, value) -> value.replaceAll("\\d{16}", "<time>"));
        return left;
    }

    private static String plain(String cell) {
        return cell.replace("`", "");
    }

    private Map<String, String> hash(String key) {
        List<?> flat = (List<?>) redis.command("HGETALL", key);
        Map<String, String> hash = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            hash.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        return hash;
    }
}
