package dev.leasehold.console.internal.observe;

import dev.leasehold.LeaseholdException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The findings about the servers, checked every 30 s while somebody watches them. Safe for use by several threads. */
public final class ServerChecks implements Observation {

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Inspector inspector;
    private final TimeSource time;
    private final Signal signal = new Signal();
    private final Poller poller = new Poller("leasehold-console-servers", this::check);
    private volatile Result result = new Result(List.of(), "", 0, false);

    /**
     * The last result.
     *
     * @param findings the findings of the last check that succeeded
     * @param problem why there is no newer result; empty if there is one
     * @param nanos when the findings were made, by the monotonic clock
     * @param checked whether there was a check that succeeded
     */
    public record Result(List<Finding> findings, String problem, long nanos, boolean checked) {}

    public ServerChecks(Inspector inspector, TimeSource time) {
        this.inspector = inspector;
        this.time = time;
    }

    private Duration check() {
        try {
            List<Finding> findings = inspector.diagnose();
            result = new Result(List.copyOf(findings), "", time.nanoTime(), true);
            return INTERVAL;
        } catch (LeaseholdException | UnsupportedOperationException | IllegalStateException e) {
            // The last: the application has closed its client.
            Result last = result;
            result = new Result(last.findings(), String.valueOf(e.getMessage()), last.nanos(), last.checked());
            return RETRY;
        } finally {
            signal.raise();
        }
    }

    /** Returns the last result. */
    public Result result() {
        return result;
    }

    /** Returns the age of a result, in milliseconds. */
    public long ageMillis(Result of) {
        return TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - of.nanos());
    }

    @Override
    public void enter() {
        poller.enter();
    }

    @Override
    public void leave() {
        poller.leave();
    }

    @Override
    public long version() {
        return signal.version();
    }

    @Override
    public boolean await(long seen, Duration limit) throws InterruptedException {
        return signal.await(seen, limit);
    }

    @Override
    public void close() {
        poller.close();
    }
}
