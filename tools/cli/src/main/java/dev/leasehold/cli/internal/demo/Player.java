package dev.leasehold.cli.internal.demo;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The work of one of the five processes: it draws the lottery unless another player has drawn it. */
final class Player {

    /** The suffix of an order that makes the player pause in the middle until the director's next order. */
    static final String PAUSE = " pause";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final long WORK_PER_WINNER_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** Long enough for all players to check before the first one writes, also on a busy machine. */
    private static final long WORK_WITHOUT_LOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_WAIT_FOR_LOSS_SECONDS = 10;

    private final int number;
    private final Lottery lottery;
    private final BlockingQueue<String> orders;
    private final Consumer<Note> recorder;

    Player(int number, Lottery lottery, BlockingQueue<String> orders, Consumer<Note> recorder) {
        this.number = number;
        this.lottery = lottery;
        this.orders = orders;
        this.recorder = recorder;
    }

    /** Plays by the director's orders, with locks of this client, or without locks if it is null. */
    void play(@Nullable Leasehold leasehold) throws InterruptedException {
        lottery.isDrawn(0);
        note(Event.READY, 0, null, String.valueOf(ProcessHandle.current().pid()));
        String order = orders.take();
        while (!order.equals("quit")) {
            boolean pause = order.endsWith(PAUSE);
            int draw = Integer.parseInt(order.replaceAll("\\D", ""));
            if (leasehold == null) {
                drawUnlessDrawn(draw, null, pause);
            } else {
                underLock(leasehold, draw, pause);
            }
            note(Event.DONE, draw, null, "");
            order = orders.take();
        }
    }

    private void underLock(Leasehold leasehold, int draw, boolean pause) throws InterruptedException {
        Lease lease = leasehold.lock(Lottery.LOCK).acquire(LONGEST_WAIT);
        note(Event.ACQUIRED, draw, lease, "");
        CountDownLatch lost = new CountDownLatch(1);
        lease.onLost(event -> {
            note(Event.LOST, draw, lease, event.cause().name());
            lost.countDown();
        });
        boolean accepted = drawUnlessDrawn(draw, lease, pause);
        long before = System.nanoTime();
        try {
            lease.release();
            recorder.accept(new Note(before, number, Event.RELEASED, draw, lease.fencingToken(), false, ""));
        } catch (LeaseLostException e) {
            if (!lost.await(LONGEST_WAIT_FOR_LOSS_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the lease was lost, and no listener was called", e);
            }
        }
        if (!accepted && lost.getCount() > 0) {
            throw new IllegalStateException("the write was refused, and the lease was not lost");
        }
    }

    /** Checks, works and writes. Returns false if the resource refused the result. */
    private boolean drawUnlessDrawn(int draw, @Nullable Lease lease, boolean pause) throws InterruptedException {
        if (lottery.isDrawn(draw)) {
            note(Event.FOUND, draw, lease, "");
            return true;
        }
        List<Integer> winners = new ArrayList<>(work(Lottery.PRIZES / 2, List.of(), lease));
        note(Event.HALF, draw, lease, Lottery.join(winners));
        if (pause) {
            orders.take();
            note(Event.WENT_ON, draw, lease, "");
        }
        winners.addAll(work(Lottery.PRIZES - winners.size(), winners, lease));
        return write(draw, lease, winners);
    }

    private boolean write(int draw, @Nullable Lease lease, List<Integer> winners) {
        boolean accepted = true;
        if (lease == null) {
            lottery.writeUnguarded(draw, winners);
        } else {
            // Deliberately without checking the lease: the resource must refuse writers that do not check.
            accepted = lottery.write(draw, lease.fencingToken(), winners);
        }
        note(accepted ? Event.DREW : Event.REFUSED, draw, lease, Lottery.join(winners));
        return accepted;
    }

    private static List<Integer> work(int count, List<Integer> drawn, @Nullable Lease lease) {
        long each = lease == null ? WORK_WITHOUT_LOCK_NANOS : WORK_PER_WINNER_NANOS;
        long end = System.nanoTime() + count * each;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return Lottery.draw(count, drawn);
    }

    private void note(Event event, int draw, @Nullable Lease lease, String detail) {
        boolean held = lease != null && lease.isHeld();
        long token = lease == null ? 0 : lease.fencingToken();
        recorder.accept(new Note(System.nanoTime(), number, event, draw, token, held, detail));
    }

    /** Returns the lock options of all players. */
    static LockOptions options(Duration lease) {
        return LockOptions.builder().leaseTime(lease).build();
    }
}
