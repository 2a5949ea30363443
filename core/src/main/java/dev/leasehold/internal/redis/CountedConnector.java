package dev.leasehold.internal.redis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisTransport.ConnectionCounts;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the connections that are opened through it, by purpose. */
final class CountedConnector implements RedisConnector {

    private final RedisConnector connector;
    private final Map<ConnectionPurpose, Tally> tallies = new EnumMap<>(ConnectionPurpose.class);

    private static final class Tally {
        private final LongAdder opened = new LongAdder();
        private final LongAdder ended = new LongAdder();
        private final LongAdder failed = new LongAdder();

        ConnectionCounts counts() {
            // In this order: one that ends meanwhile is among the opened.
            long gone = ended.sum();
            long all = opened.sum();
            return new ConnectionCounts(Math.max(0, all - gone), all, failed.sum());
        }
    }

    CountedConnector(RedisConnector connector) {
        this.connector = connector;
        for (ConnectionPurpose purpose : ConnectionPurpose.values()) {
            tallies.put(purpose, new Tally());
        }
    }

    /** Returns the counts of each purpose. */
    Map<ConnectionPurpose, ConnectionCounts> counts() {
        Map<ConnectionPurpose, ConnectionCounts> counts = new EnumMap<>(ConnectionPurpose.class);
        tallies.forEach((purpose, tally) -> counts.put(purpose, tally.counts()));
        return counts;
    }

    @Override
    public ConnectorInfo info() {
        return connector.info();
    }

    @Override
    public CompletionStage<RedisConnection> connect(
            @Nullable RedisAddress to, ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
        Tally tally = Objects.requireNonNull(tallies.get(purpose));
        CompletionStage<RedisConnection> opening =
                connector.connect(to, purpose, new CountedEnd(listener, tally), timeoutNanos);
        CompletionStage<?> unused = opening.whenComplete(
                (connection, failure) -> (failure == null ? tally.opened : tally.failed).increment());
        return opening;
    }

    @Override
    public void close() {
        connector.close();
    }

    private record CountedEnd(PushListener listener, Tally tally) implements PushListener {

        @Override
        public void unsubscribed(String channel) {
            listener.unsubscribed(channel);
        }

        @Override
        public void message(String channel, String message) {
            listener.message(channel, message);
        }

        @Override
        public void invalidated(@Nullable List<String> keys) {
            listener.invalidated(keys);
        }

        @Override
        public void closed(String cause) {
            tally.ended.increment();
            listener.closed(cause);
        }
    }
}
