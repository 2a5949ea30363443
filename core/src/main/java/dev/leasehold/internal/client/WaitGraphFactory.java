package dev.leasehold.internal.client;

import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.waitgraph.DeadlockWatch;
import dev.leasehold.internal.waitgraph.LocalWaits;
import dev.leasehold.internal.waitgraph.WaitGraphReader;
import dev.leasehold.internal.waitgraph.WaitResponder;
import java.time.Duration;

/** Lets a client answer and ask who waits for whom. */
final class WaitGraphFactory {

    private WaitGraphFactory() {}

    /** Begins to answer, from the first wait on, and to look for deadlocks if a period is given. */
    static WaitGraphReader start(ClientConfig config, EngineParts parts, Engine engine, ServerQueries queries) {
        KeyPrefix prefix = parts.wakeChannel().prefix();
        LocalWaits local = new LocalWaits(parts.process(), engine.leases(), parts.time());
        WaitResponder responder =
                new WaitResponder(prefix, local, queries, parts.time(), parts.callbacks(), config.sharesStacks());
        engine.events().whenWaiting(responder::listen);
        WaitGraphReader reader = new WaitGraphReader(
                prefix, local, queries, parts.features(), parts.ids(), engine.inspection(), parts.time());
        Duration deadlockCheck = config.deadlockCheck();
        if (deadlockCheck != null) {
            responder.listen();
            new DeadlockWatch(local, reader, engine.events(), parts.timer(), deadlockCheck, engine::closed).start();
        }
        return reader;
    }
}
