package dev.leasehold.internal.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Drives an acquisition on the caller's own thread, which waits for each answer. */
final class BlockingDriver {

    private final Engine engine;
    private final Acquisition acquisition;

    BlockingDriver(Engine engine, Acquisition acquisition) {
        this.engine = engine;
        this.acquisition = acquisition;
    }

    /**
     * Runs to the end.
     *
     * @throws InterruptedException if interrupted before a request or while waiting; nothing stays held
     */
    Step.Done run() throws InterruptedException {
        try {
            return drive();
        } catch (RuntimeException | Error e) {
            // A bug, or a transport that breaks its contract: nothing stays held.
            acquisition.abandon();
            throw e;
        }
    }

    private Step.Done drive() throws InterruptedException {
        while (true) {
            if (Thread.interrupted()) {
                throw interrupted();
            }
            Step step = acquisition.next();
            if (step instanceof Step.Done done) {
                return done;
            }
            if (step instanceof Step.Pause pause) {
                engine.seats().pause(engine::closed, pause.until() - engine.time.nanoTime());
            } else if (step instanceof Step.Send send) {
                exchange(send);
            }
        }
    }

    /** Runs to the end; an interrupt is kept for later. */
    Step.Done runUninterruptibly() {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                Step step = acquisition.next();
                if (step instanceof Step.Done done) {
                    return done;
                }
                if (step instanceof Step.Pause pause) {
                    engine.seats().pause(engine::closed, pause.until() - engine.time.nanoTime());
                    interrupted |= Thread.interrupted();
                } else if (step instanceof Step.Send send) {
                    report(Exchange.run(engine, send.call(), send.sentAt(), send.doubt()));
                    interrupted |= Thread.interrupted();
                }
            }
        } catch (RuntimeException | Error e) {
            acquisition.abandon();
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void exchange(Step.Send send) throws InterruptedException {
        CompletableFuture<List<String>> future = Exchange.send(engine, send.call());
        try {
            report(Exchange.await(engine, future, send.sentAt(), send.call().timeoutNanos(), send.doubt()));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void report(Exchange exchange) {
        List<String> reply = exchange.reply();
        if (reply != null) {
            acquisition.answered(reply);
        } else {
            acquisition.failed(exchange.problem());
        }
    }

    private InterruptedException interrupted() {
        acquisition.abandon();
        return new InterruptedException(
                "interrupted while acquiring lock " + acquisition.key().shown() + "; whatever was taken is given back");
    }
}
