package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks processes what their threads wait for, waits for the answers of their clients for a limited time, and reads locks. Used by one
 * thread.
 */
final class WaitInquiry implements WaitSource, AutoCloseable {

    private static final long LIMIT_NANOS = 400_000_000;

    private static final int MOST_ANSWERS = 10_000;

    /** Where nobody knows how many answers to expect: two questions and what is read in between take less than a second. */
    private static final long COLLECTING_NANOS = 300_000_000;

    private final KeyPrefix prefix;
    private final ServerQueries queries;
    private final boolean countsReceivers;
    private final Supplier<AcquisitionId> ids;
    private final Inspection inspection;
    private final TimeSource time;
    private final String replyTo;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);
    private final AutoCloseable subscription;

    /**
     * Subscribes to a channel for the answers.
     *
     * @param countsReceivers whether the reply to PUBLISH is the number of all clients that received it
     */
    WaitInquiry(
            KeyPrefix prefix,
            ServerQueries queries,
            boolean countsReceivers,
            Supplier<AcquisitionId> ids,
            Inspection inspection,
            TimeSource time) {
        this.prefix = prefix;
        this.queries = queries;
        this.countsReceivers = countsReceivers;
        this.ids = ids;
        this.inspection = inspection;
        this.time = time;
        this.replyTo = prefix.value() + ":w:" + ids.get().value();
        this.subscription = queries.await(queries.transport().subscribe(replyTo, this::answered));
    }

    /** What is too much for the queue is lost: everybody with the right to publish can answer. */
    private void answered(String text) {
        boolean unused = answers.offer(text);
    }

    @Override
    public Map<String, List<WaitReport>> ask(Collection<String> processes, Map<String, Set<Long>> threads) {
        String number = ids.get().value();
        Map<String, Long> awaited = new HashMap<>();
        for (String process : processes) {
            WaitQuestion question = new WaitQuestion(number, replyTo, threads.getOrDefault(process, Set.of()));
            Object received =
                    queries.command(null, List.of("PUBLISH", WaitQuestion.channel(prefix, process), question.text()));
            awaited.put(process, countsReceivers ? Long.parseLong(String.valueOf(received)) : Long.MAX_VALUE);
        }
        return answers(number, awaited);
    }

    /** Locks with a queue are read together, where one call may reach them. */
    @Override
    public Map<LockKey, InspectLock.State> read(Collection<LockKey> keys) {
        Map<LockKey, InspectLock.State> states = new HashMap<>(inspection.states(
                keys.stream().filter(key -> key.kind().hasQueue()).toList()));
        keys.stream().filter(key -> !key.kind().hasQueue()).forEach(key -> states.put(key, inspection.state(key)));
        return states;
    }

    private Map<String, List<WaitReport>> answers(String number, Map<String, Long> awaited) {
        Map<String, List<WaitReport>> reports = new HashMap<>();
        Set<String> missing = new HashSet<>(awaited.keySet());
        awaited.forEach((process, clients) -> {
            if (clients == 0) {
                // Nobody listens there, because no caller has ever waited.
                missing.remove(process);
                reports.put(process, List.of());
            }
        });
        long end = time.nanoTime() + (countsReceivers ? LIMIT_NANOS : COLLECTING_NANOS);
        while (!missing.isEmpty()) {
            String text = next(end - time.nanoTime());
            if (text == null) {
                break;
            }
            WaitReport report = WaitReport.read(number, text);
            if (report != null && awaited.containsKey(report.process())) {
                List<WaitReport> ofProcess = reports.computeIfAbsent(report.process(), name -> new ArrayList<>());
                ofProcess.add(report);
                if (ofProcess.size() >= awaited.getOrDefault(report.process(), 1L)) {
                    missing.remove(report.process());
                }
            }
        }
        return reports;
    }

    private @Nullable String next(long nanos) {
        try {
            return nanos > 0 ? answers.poll(nanos, TimeUnit.NANOSECONDS) : null;
        } catch (InterruptedException e) {
            // The caller wants an end, and finds its interrupt status.
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public void close() {
        try {
            subscription.close();
        } catch (Exception e) {
            throw new IllegalStateException("the subscription to " + Names.escape(replyTo) + " could not be ended", e);
        }
    }
}
