package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.RenewHold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Thousands of holds of one lock: no call reads all of them, and the ended ones are found in pages. */
class LargeHashIT extends BenchBase {

    private static final int MANY = 2000;
    private static final int MOST_CALLS = 200;

    private void enterMany(Entering entering) {
        for (int n = 0; n < MANY; n++) {
            assertThat(entering.of("h" + n).now().code()).isEqualTo(Code.GRANTED);
        }
        redis.command("CONFIG", "RESETSTAT");
    }

    private interface Entering {
        Bench.Entry of(String id);
    }

    private Bench.Entry reader(String id) {
        return lock.acquire(id).reading();
    }

    private Bench.Entry permit(String id) {
        return lock.acquire(id).permits(1, 2 * MANY);
    }

    private Bench.Entry named(String id) {
        return lock.acquire(id).as("job");
    }

    /** Returns how often scripts have called a command since the last reset. */
    private long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(redis.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private void noneReadAllHolds() {
        assertThat(calls("hgetall")).isZero();
        assertThat(calls("hkeys")).isZero();
    }

    private long count() {
        return Long.parseLong(
                String.valueOf(redis.command("HGET", lock.key.key(), "rs")).split(":", -1)[0]);
    }

    /** Ends holds, and makes the sum of the holds as it is when their time has come. */
    private void endSome(Iterable<String> ids) {
        long from = lock.time() - 10 * Bench.SECOND;
        ids.forEach(id -> lock.put("h:" + id, from + ":" + Bench.SECOND + ":" + from));
        String[] sum = lock.field("rs").split(":");
        lock.put("rs", sum[0] + ":" + (from + Bench.SECOND) + ":" + sum[2] + ":" + sum[3]);
    }

    private void aScanOfAllHoldsIsComplete(Runnable call) {
        int n = 0;
        do {
            call.run();
            assertThat(n++).isLessThan(MOST_CALLS);
        } while (Long.valueOf(1).equals(redis.command("HEXISTS", lock.key.key(), "rc")));
        assertThat(n).as("more than a page").isGreaterThan(2);
    }

    /** So many holds that one call does not remove them all. */
    @Test
    void aForcedReleaseTakesALargeLockAwayInSeveralCalls() {
        for (int n = 0; n < 3000; n++) {
            assertThat(lock.acquire("p" + n).permits(1, 2 * MANY).now().code()).isEqualTo(Code.GRANTED);
        }
        ForceRelease.Answer answer = lock.force();
        assertThat(answer.code()).isEqualTo(ForceRelease.Code.MORE);
        long removed = answer.removed();
        int calls = 1;
        while (answer.code() == ForceRelease.Code.MORE) {
            answer = lock.send(new ForceRelease(lock.key, 0, Bench.EVER, answer.detail(), 1));
            removed += answer.removed();
            calls++;
        }
        assertThat(answer.code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(removed).isEqualTo(3000);
        assertThat(calls).isLessThan(10);
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "pt");
        assertThat(lock.acquire("x").now().code()).isEqualTo(Code.GRANTED);
    }

    @Test
    void liveHoldsAreEnteredRenewedAndReleasedByTheirSum() {
        for (Entering entering : List.<Entering>of(this::reader, this::permit, this::named)) {
            enterMany(entering);
            assertThat(entering.of("more").now().code()).isEqualTo(Code.GRANTED);
            assertThat(count()).isEqualTo(MANY + 1);
            assertThat(lock.renew("more", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
            assertThat(lock.acquire("other").now().code()).isEqualTo(Code.BUSY);
            lock.release("more");
            assertThat(count()).isEqualTo(MANY);
            noneReadAllHolds();
            assertThat(calls("hscan")).isZero();
            lock.force();
        }
    }

    @Test
    void endedHoldsAreFoundByWhateverCallsGoOn() {
        enterMany(this::permit);
        endSome(List.of("h3", "h7", "h1234"));
        aScanOfAllHoldsIsComplete(() -> lock.renew("h5", Bench.HOUR));
        assertThat(lock.fields()).doesNotContainKeys("h:h3", "h:h7", "h:h1234", "i:h7");
        assertThat(count()).isEqualTo(MANY - 3);
    }

    @Test
    void aLockWhoseHoldersAllEndedIsFreeAfterAsManyCallsAsPages() {
        enterMany(this::reader);
        List<String> all = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            all.add("h" + n);
        }
        endSome(all);
        redis.command("CONFIG", "RESETSTAT");
        int tries = 0;
        Answer answer;
        do {
            answer = lock.acquire("writer").waiting("W", 0).now();
            if (answer.code() == Code.BUSY) {
                assertThat(answer.leftNanos()).as("the next page at once").isZero();
            }
            assertThat(tries++).isLessThan(MOST_CALLS);
        } while (answer.code() == Code.BUSY);
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        // The rest of a hash that has become small is read at once.
        assertThat(calls("hgetall")).isLessThanOrEqualTo(1);
        assertThat(lock.fields().keySet())
                .filteredOn(field -> field.matches("[hi]:h.*|r."))
                .isEmpty();
    }

    @Test
    void aWaiterForPermitsGetsThoseOfEndedHolds() {
        for (int n = 0; n < MANY; n++) {
            lock.acquire("h" + n).permits(1, MANY).now();
        }
        assertThat(lock.acquire("w").permits(2, MANY).now().code()).isEqualTo(Code.BUSY);
        endSome(List.of("h17", "h1717"));
        int tries = 0;
        while (lock.acquire("w").permits(2, MANY).now().code() == Code.BUSY) {
            assertThat(tries++).isLessThan(MOST_CALLS);
        }
        assertThat(count()).isEqualTo(MANY);
        assertThat(lock.acquire("x").permits(1, MANY).now().code()).isEqualTo(Code.BUSY);
    }

    @Test
    void tombstonesDoNotMakeCallsReadAllHolds() {
        enterMany(this::named);
        lock.release("h1", lock.time() + Bench.HOUR);
        lock.release("h2", lock.time() + 1);
        lock.past(lock.time() + Bench.MILLI);
        assertThat(named("more").now().code()).isEqualTo(Code.GRANTED);
        assertThat(lock.renew("more", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(named("h1").now().code()).isEqualTo(Code.STALE);
        noneReadAllHolds();
    }

    @Test
    void tombstonesOfALargeHashAreRemovedInPages() {
        long soon = lock.time() + 2 * Bench.SECOND;
        named("a1").now();
        for (int n = 0; n < 700; n++) {
            lock.release("x" + n, soon);
        }
        lock.past(soon);
        int tries = 0;
        while (lock.fields().containsKey("xn")) {
            lock.renew("a1", Bench.HOUR);
            assertThat(tries++).isLessThan(MOST_CALLS);
        }
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "own", "rs", "h:a1", "i:a1");
    }

    @Test
    void heartbeatsOfManyClientsGoWithTheQueue() {
        lock.acquire("a1").now();
        List<Long> positions = new ArrayList<>();
        for (int n = 0; n < 700; n++) {
            positions.add(lock.acquire("w" + n).fairly("W" + n, 0).now().position());
        }
        for (int n = 0; n < 700; n++) {
            lock.leave("W" + n, positions.get(n));
        }
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "own", "h:a1", "i:a1");
    }

    @Test
    void fairWaitersBehindReadersThatHaveEndedGetTheirTurn() {
        for (int n = 0; n < 3; n++) {
            reader("r" + n).now();
        }
        long head = lock.acquire("w0").fairly("W0", 0).now().position();
        for (int n = 1; n < 700; n++) {
            assertThat(lock.acquire("w" + n).fairly("W" + n, 0).now().code()).isEqualTo(Code.BUSY);
            if (n % 50 == 5) {
                // Who does not poll lapses.
                lock.acquire("w0").fairly("W0", head).now();
                lock.acquire("w5").fairly("W5", head + 5).now();
            }
        }
        endSome(List.of("r0", "r1", "r2"));
        Answer behind = lock.acquire("w5").fairly("W5", head + 5).now();
        assertThat(behind.code()).isEqualTo(Code.BUSY);
        assertThat(behind.position()).isEqualTo(head + 5);
        int tries = 0;
        while (lock.acquire("w0").fairly("W0", head).now().code() == Code.BUSY) {
            assertThat(tries++).isLessThan(MOST_CALLS);
        }
        assertThat(lock.fields()).containsEntry("own", "w0").doesNotContainKeys("rs", "rc", "h:r0");
    }

    /** Whatever happens in whatever order, the sum counts the permits that are there. */
    @Test
    void theSumFollowsAnyOrderOfCalls() {
        Random random = new Random(20_261_124);
        enterMany(this::permit);
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            ids.add("h" + n);
        }
        for (int step = 0; step < 1500; step++) {
            String id = ids.get(random.nextInt(ids.size()));
            switch (random.nextInt(6)) {
                case 0 -> {
                    String fresh = "f" + step;
                    int wanted = 1 + random.nextInt(3);
                    if (lock.acquire(fresh).permits(wanted, 2 * MANY).now().code() == Code.GRANTED) {
                        ids.add(fresh);
                    }
                }
                case 1, 2 -> lock.release(id);
                case 3 -> lock.renew(id, Bench.HOUR);
                case 4 -> lock.acquire("w" + step).waiting("W", 0).now();
                default -> {
                    if (random.nextInt(8) == 0 && lock.fields().containsKey("h:" + id)) {
                        endSome(List.of(id));
                    }
                }
            }
            if (step % 100 == 0) {
                assertThat(count()).as("step %d", step).isEqualTo(permitsInTheHash());
            }
        }
        assertThat(count()).isEqualTo(permitsInTheHash());
    }

    private long permitsInTheHash() {
        Map<String, String> fields = lock.fields();
        return fields.keySet().stream()
                .filter(field -> field.startsWith("h:"))
                .mapToLong(field -> Long.parseLong(fields.getOrDefault("p:" + field.substring(2), "1")))
                .sum();
    }
}
