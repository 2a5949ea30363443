package dev.leasehold.internal.engine;

import dev.leasehold.internal.script.DowngradeScript;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Redis that a writer's hold is that of readers now, so that readers of other processes may come in. Without an answer
 * it is told again for as long as anybody reads. A late copy finds the hold gone, because from here on it is not handed on to
 * a writer.
 */
final class ShareRequest implements BatchSender.Request {

    private static final Logger LOG = LoggerFactory.getLogger(ShareRequest.class);
    private static final long RETRY_NANOS = 100_000_000;

    private final Engine engine;
    private final LeaseRecord writer;
    private final SharedReadHold reading;

    ShareRequest(Engine engine, LeaseRecord writer, SharedReadHold reading) {
        this.engine = engine;
        this.writer = writer;
        this.reading = reading;
    }

    void begin() {
        engine.unanswered().add(this);
        engine.lane.submit(this);
    }

    @Override
    public @Nullable ScriptCall prepare(long now) {
        if (reading.over()) {
            engine.unanswered().remove(this);
            return null;
        }
        return engine.downgrade.call(
                writer.key, writer.hold(), engine.parts.limits().commandNanos());
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        engine.unanswered().remove(this);
        DowngradeScript.Answer answer = DowngradeScript.parse(reply);
        engine.serverClock.seen(answer.now(), sentAt);
        if (answer.code() == DowngradeScript.Code.SHARED) {
            engine.floors.seen(writer.key, answer.token(), writer.leaseNanos(), engine.time.nanoTime());
        }
    }

    @Override
    public void failed(Throwable failure) {
        LOG.debug(
                "readers of other processes still wait for those of this one, of lock {}: {}",
                writer.key,
                LockMessages.reason(failure));
        engine.lane.submitAfter(this, RETRY_NANOS);
    }
}
