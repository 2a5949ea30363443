package dev.leasehold.examples.stock;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends orders at a steady rate, independent of the answers. Orders that were in flight to a process that died are
 * repeated at the survivor under the same id.
 */
final class Load {

    /** The last answer to an order. */
    record LastAnswer(String id, int item, int status, String text) {
        boolean isTaken() {
            return status == 200 && !text.equals(Answer.SOLD_OUT.name());
        }
    }

    private final StockProcess victim;
    private final StockProcess survivor;
    private final int items;
    private final Map<String, LastAnswer> answers = new ConcurrentHashMap<>();
    private final Set<String> perhapsTaken = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> kinds = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<?>> all = new ArrayList<>();
    private final AtomicLong slowestNanos = new AtomicLong();
    private volatile boolean victimLives = true;
    private int number;

    Load(StockProcess victim, StockProcess survivor, int items) {
        this.victim = victim;
        this.survivor = survivor;
        this.items = items;
    }

    /** Sends a number of orders, one in each interval. */
    CompletableFuture<Void> run(ScheduledExecutorService timer, int orders, long intervalNanos) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        var ticks = timer.scheduleAtFixedRate(
                () -> {
                    if (number == orders) {
                        sent.complete(null);
                        return;
                    }
                    int order = number++;
                    all.add(send(
                            "order-" + order, order * 7 % items, order % 2 == 0 && victimLives ? victim : survivor));
                },
                0,
                intervalNanos,
                TimeUnit.NANOSECONDS);
        return sent.thenCompose(nothing -> {
            ticks.cancel(false);
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        });
    }

    void killVictim() {
        victimLives = false;
        victim.kill();
    }

    private CompletableFuture<?> send(String id, int item, StockProcess to) {
        long from = System.nanoTime();
        return to.order(id, item)
                .handle((answer, failure) -> {
                    if (failure == null) {
                        slowestNanos.accumulateAndGet(System.nanoTime() - from, Math::max);
                        addAnswer(id, item, answer);
                        return CompletableFuture.completedFuture(null);
                    }
                    if (to == survivor || victimLives) {
                        violations.add(id + " got no answer from " + to.name() + ": " + failure);
                        return CompletableFuture.completedFuture(null);
                    }
                    count("repeated at the survivor");
                    perhapsTaken.add(id);
                    return send(id, item, survivor);
                })
                .thenCompose(next -> next);
    }

    private void addAnswer(String id, int item, HttpResponse<String> answer) {
        answers.put(id, new LastAnswer(id, item, answer.statusCode(), answer.body()));
        count(answer.statusCode() == 200 ? answer.body() : Integer.toString(answer.statusCode()));
        if (answer.statusCode() == 500) {
            violations.add(id + ": " + answer.body());
        }
    }

    private void count(String kind) {
        kinds.computeIfAbsent(kind, key -> new AtomicInteger()).incrementAndGet();
    }

    /** Repeats at the survivor, one after another, all orders without a clear answer, and some that were accepted. */
    void repeatWhatIsOpen() {
        List<LastAnswer> open = answers.values().stream().filter(this::isOpen).toList();
        List<LastAnswer> taken =
                answers.values().stream().filter(LastAnswer::isTaken).limit(20).toList();
        for (LastAnswer order : open) {
            send(order.id(), order.item(), survivor).join();
        }
        for (LastAnswer order : taken) {
            send(order.id(), order.item(), survivor).join();
        }
    }

    /** Busy is a clear answer, except to an order that the dead process may have accepted. */
    private boolean isOpen(LastAnswer order) {
        return order.status() == 503 || (order.status() == 409 && perhapsTaken.contains(order.id()));
    }

    Map<String, LastAnswer> answers() {
        return answers;
    }

    Queue<String> violations() {
        return violations;
    }

    long slowestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(slowestNanos.get());
    }

    @Override
    public String toString() {
        return kinds + ", slowest answer " + slowestMillis() + " ms";
    }
}
