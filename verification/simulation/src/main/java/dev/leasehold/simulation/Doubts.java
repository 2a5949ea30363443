package dev.leasehold.simulation;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.redis.path.Silence;
import dev.leasehold.internal.redis.path.SilenceLimit;
import java.util.concurrent.CompletableFuture;

/** Decides when a connection is replaced whose callers give up. A path has one for all its connections. */
interface Doubts {

    /**
     * A request is sent over the present connection.
     *
     * @param timeoutNanos how long its caller waits at most
     * @param replace replaces the connection
     */
    Asked ask(long timeoutNanos, Runnable replace);

    /** A message has arrived over the present connection. */
    void heard();

    /** The connection was replaced. */
    void replaced();

    /** A request that was sent. */
    interface Asked {

        /** Its reply has arrived. */
        void answered();

        /**
         * Its caller gives up.
         *
         * @return false if it has to cancel its stage
         */
        boolean doubted();

        /** Its stage was cancelled. */
        void cancelled();
    }

    /** The stage of a request, of which its connection learns that the caller gives up. */
    final class Stage<T> extends CompletableFuture<T> implements Doubtable {
        private final Asked asked;

        Stage(Asked asked) {
            this.asked = asked;
        }

        @Override
        public boolean doubt() {
            return asked.doubted();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                asked.cancelled();
            }
            return cancelled;
        }
    }

    /**
     * The rule of the core: a connection is replaced that has been asked and silent for the limit, however long its callers
     * wait.
     */
    static Doubts bySilence(Machine machine) {
        return new BySilence(machine);
    }

    /**
     * The rule in which seeds were found that must stay as they are: a caller that waited for long enough ends the connection,
     * and no other does.
     *
     * @param leastNanos how long it must have waited
     */
    static Doubts byCaller(long leastNanos) {
        return new Doubts() {
            @Override
            public Asked ask(long timeoutNanos, Runnable replace) {
                return new Asked() {
                    @Override
                    public void answered() {}

                    @Override
                    public boolean doubted() {
                        return timeoutNanos < leastNanos;
                    }

                    @Override
                    public void cancelled() {
                        replace.run();
                    }
                };
            }

            @Override
            public void heard() {}

            @Override
            public void replaced() {}
        };
    }

    /** See {@link #bySilence}. */
    final class BySilence implements Doubts {
        private final Machine machine;
        private final SilenceLimit limit = new SilenceLimit();
        private long longestNanos;
        private Silence silence = new Silence();

        private BySilence(Machine machine) {
            this.machine = machine;
        }

        @Override
        public Asked ask(long timeoutNanos, Runnable replace) {
            longestNanos = Math.max(longestNanos, timeoutNanos);
            return new OfSilence(replace);
        }

        @Override
        public void heard() {
            silence.ended();
        }

        @Override
        public void replaced() {
            silence = new Silence();
        }

        private final class OfSilence implements Asked {
            private final Runnable replace;
            private final Silence over = silence;
            private final long arrivals = silence.arrivals();
            private final long sentAt = machine.nanoTime();

            OfSilence(Runnable replace) {
                this.replace = replace;
            }

            @Override
            public void answered() {
                over.ended();
                if (limit.isRaised()) {
                    limit.answered(machine.nanoTime() - sentAt, longestNanos);
                }
            }

            private boolean isSilent() {
                return over == silence && over.lastsSince(arrivals);
            }

            @Override
            public boolean doubted() {
                if (isSilent()) {
                    long due = over.unanswered(arrivals, sentAt) + limit.nanos() - machine.nanoTime();
                    if (due <= 0) {
                        judge();
                    } else {
                        machine.schedule(this::judge, due);
                    }
                }
                return true;
            }

            @Override
            public void cancelled() {
                boolean unused = doubted();
            }

            private void judge() {
                if (isSilent()) {
                    limit.silent(longestNanos);
                    replace.run();
                }
            }
        }
    }
}
