package dev.leasehold.internal.client;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.LockView;
import dev.leasehold.internal.key.LockKey;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client: one engine over one transport. */
final class LeaseholdClient implements Leasehold {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");

    private final ClientConfig config;
    private final Engine engine;
    private final Disposal disposal;
    private final Inspector inspector;
    private final AtomicBoolean closing = new AtomicBoolean();

    LeaseholdClient(ClientConfig config, Engine engine, ServerQueries queries, Disposal disposal) {
        this.config = config;
        this.engine = engine;
        this.disposal = disposal;
        this.inspector = new ClientInspector(config, engine, queries);
    }

    @Override
    public DistributedLock lock(String name) {
        engine.ensureOpen();
        return LockView.of(engine, LockKey.of(config.keyPrefix(), name), config.defaults());
    }

    @Override
    public Inspector inspector() {
        engine.ensureOpen();
        return inspector;
    }

    List<Finding> diagnoseAll() {
        return inspector.diagnose();
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        boolean interrupted = false;
        try {
            engine.shutDown().get(config.commandTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("closed before Redis confirmed every release; what is left ends with its lease");
        } finally {
            disposal.dispose();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "Leasehold[" + config.name() + ", keys " + config.keyPrefix().value() + ":{...}]";
    }
}
