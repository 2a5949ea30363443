package dev.leasehold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recording of the JVM sees of locks. */
class FlightTest {

    private static final List<String> NAMES = List.of("Acquire", "Wait", "NotAcquired", "Hold", "Renew", "Loss");
    private static final LockKey ODD = LockKey.of(EngineRig.PREFIX, "a\nforged line");

    private static final TimeSource NOBODY_ASKS = new TimeSource() {
        @Override
        public long nanoTime() {
            throw new AssertionError("a clock was read");
        }

        @Override
        public long wallMillis() {
            throw new AssertionError("a clock was read");
        }
    };

    private final EngineRig rig = new EngineRig();

    @TempDir
    Path directory;

    private Recording recording(String... names) {
        Recording recording = new Recording();
        for (String name : NAMES) {
            recording.disable("dev.leasehold." + name);
        }
        for (String name : names) {
            recording.enable("dev.leasehold." + name).withoutThreshold();
        }
        recording.start();
        return recording;
    }

    private List<RecordedEvent> events(Recording recording) throws IOException {
        Path file = directory.resolve("flight.jfr");
        recording.stop();
        recording.dump(file);
        List<RecordedEvent> all = new ArrayList<>(RecordingFile.readAllEvents(file));
        Files.delete(file);
        all.removeIf(event -> !event.getEventType().getName().startsWith("dev.leasehold."));
        all.sort(Comparator.comparing(RecordedEvent::getEndTime));
        return all;
    }

    private static String told(RecordedEvent event) {
        String name = event.getEventType().getName().substring("dev.leasehold.".length());
        return event.hasField("outcome") ? name + " " + event.getString("outcome") : name;
    }

    @Test
    void theLifeOfALeaseIsRecorded() throws Exception {
        try (Recording recording = recording("Acquire", "Wait", "Hold", "Renew", "Loss")) {
            Lease lease = rig.held();
            rig.pass(Duration.ofSeconds(10));
            lease.release();
            List<RecordedEvent> events = events(recording);
            assertThat(events)
                    .extracting(FlightTest::told)
                    .containsExactly("Acquire ACQUIRED", "Renew", "Hold RELEASED");
            assertThat(events).allSatisfy(event -> {
                assertThat(event.getString("lock")).isEqualTo("a");
                assertThat(event.getEventType().getCategoryNames()).containsExactly("Leasehold");
                assertThat(event.getThread().getJavaName())
                        .isEqualTo(Thread.currentThread().getName());
            });
            assertThat(events.get(0).getLong("fencingToken")).isEqualTo(lease.fencingToken());
            assertThat(events.get(0).getInt("tries")).isEqualTo(1);
            assertThat(events.get(1).getDuration("left")).isGreaterThan(Duration.ofSeconds(29));
            assertThat(events.get(1).getDuration("lag")).isEqualTo(Duration.ZERO);
            assertThat(events.get(2).getLong("fencingToken")).isEqualTo(lease.fencingToken());
            assertThat(events.get(2).getInt("renewals")).isEqualTo(1);
            assertThat(events.get(2).getStartTime()).isBefore(events.get(2).getEndTime());
        }
    }

    @Test
    void waitsAndLossesAreRecorded() throws Exception {
        try (Recording recording = recording("Acquire", "Wait", "Hold", "Loss")) {
            rig.redis.answers("acquire", call -> rig.redis.reply("busy", "5000000", "7", "0"));
            CompletableFuture<Lease> waiter = rig.lock().acquireAsync().toCompletableFuture();
            rig.pass(Duration.ofSeconds(6));
            rig.redis.answers(
                    "acquire", call -> rig.redis.reply("granted", "30000000", Long.toString(rig.time.serverMicros())));
            rig.redis.listeners.get(0).resubscribed();
            assertThat(waiter).isCompleted();
            rig.redis.answers("renew", call -> rig.redis.reply("gone", "deleted"));
            rig.pass(Duration.ofSeconds(12));
            assertThat(rig.lost).hasSize(1);
            List<RecordedEvent> events = events(recording);
            assertThat(events)
                    .extracting(FlightTest::told)
                    .containsExactly("Wait ACQUIRED", "Acquire ACQUIRED", "Hold DELETED", "Loss");
            RecordedEvent loss = events.get(3);
            assertThat(loss.getString("cause")).isEqualTo("DELETED");
            assertThat(loss.getDuration("held")).isEqualTo(rig.lost.get(0).held());
            assertThat(loss.getLong("fencingToken")).isEqualTo(rig.lost.get(0).fencingToken());
        }
    }

    /** It lasts for less than what the stretches of time have as threshold, and would be seen nowhere. */
    @Test
    void anAcquisitionWithoutALeaseIsRecordedHoweverShort() throws Exception {
        try (Recording recording = recording("NotAcquired")) {
            rig.redis.answers("acquire", call -> rig.redis.reply("busy", "5000000", "7", "0"));
            assertThat(rig.lock().tryAcquire()).isEmpty();
            assertThat(rig.lock().tryAcquire(Duration.ofSeconds(3))).isEmpty();
            rig.redis.fails("acquire", new RedisErrorException("NOPERM no rights"));
            assertThatThrownBy(() -> rig.lock().tryAcquire()).isInstanceOf(LockUnavailableException.class);
            List<RecordedEvent> events = events(recording);
            assertThat(events)
                    .extracting(FlightTest::told)
                    .containsExactly("NotAcquired BUSY", "NotAcquired BUSY", "NotAcquired FAILED");
            assertThat(events).extracting(event -> event.getString("lock")).containsOnly("a");
            assertThat(events.get(0).getDuration("waited")).isLessThan(Duration.ofMillis(20));
            assertThat(events.get(0).getString("failure")).isNull();
            assertThat(events.get(0).getInt("tries")).isEqualTo(1);
            assertThat(events.get(1).getDuration("waited")).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
            assertThat(events.get(2).getString("failure")).isEqualTo(LockUnavailableException.class.getName());
        }
    }

    /** It did not fail: its caller went. */
    @Test
    void whoeverLeavesIsNotRecordedAsAFailure() throws Exception {
        try (Recording recording = recording("NotAcquired", "Acquire")) {
            rig.redis.answers("acquire", call -> rig.redis.reply("busy", "5000000", "7", "0"));
            assertThat(rig.lock().acquireAsync().toCompletableFuture().cancel(false))
                    .isTrue();
            assertThat(events(recording)).extracting(FlightTest::told).containsExactly("Acquire ABANDONED");
        }
    }

    @Test
    void namesForgeNoLine() throws Exception {
        try (Recording recording = recording("Hold")) {
            rig.engine.lock(ODD, EngineRig.OPTIONS).acquire().release();
            assertThat(events(recording))
                    .singleElement()
                    .satisfies(event -> assertThat(event.getString("lock")).isEqualTo("a\\u000aforged line"));
        }
    }

    /** As a recording that runs all the time has it: short ones would fill it. */
    @Test
    void shortOnesAreLeftOutByDefaultAndLossesAreNot() {
        // A kind is known to the recorder from its first use.
        Flight.waiting();
        Flight.renewed(EngineRig.KEY, 0, 0);
        Flight.lost(EngineRig.KEY, 1, LossCause.DELETED, 0);
        Flight.notAcquired(EngineRig.KEY, WaitOutcome.BUSY, rig.time, 0, 1, null);
        rig.held().release();
        Map<String, String> thresholds = new HashMap<>();
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (type.getName().startsWith("dev.leasehold.")) {
                thresholds.put(type.getLabel(), setting(type, "threshold"));
                assertThat(setting(type, "enabled")).isEqualTo("true");
            }
        }
        assertThat(thresholds)
                .containsEntry("Acquire", "20 ms")
                .containsEntry("Wait", "20 ms")
                .containsEntry("Hold", "20 ms")
                .containsEntry("Not Acquired", "0 ns")
                .containsEntry("Renew", "0 ns")
                .containsEntry("Loss", "0 ns");
    }

    private static String setting(EventType type, String name) {
        return type.getSettingDescriptors().stream()
                .filter(setting -> setting.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getDefaultValue();
    }

    @Test
    void whileNobodyRecordsNothingIsMade() {
        try (Recording recording = recording()) {
            assertThat(recording.getSettings()).containsEntry("dev.leasehold.Hold#enabled", "false");
            assertThat(Flight.acquisition()).isNull();
            assertThat(Flight.waiting()).isNull();
            assertThat(Flight.holding()).isNull();
            Flight.notAcquired(EngineRig.KEY, WaitOutcome.BUSY, NOBODY_ASKS, 0, 1, null);
        }
        assertThat(Flight.holding()).isNull();
    }
}
