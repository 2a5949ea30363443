package dev.leasehold.chaos.work;

import dev.leasehold.chaos.work.Contender.Held;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A candidacy of which only the first term is used. The release of that term ends it. */
final class Standing implements LeaderListener, AutoCloseable {

    private final CompletableFuture<Term> elected = new CompletableFuture<>();
    private final CompletableFuture<DemotionReason> demoted = new CompletableFuture<>();
    private final Candidacy candidacy;

    Standing(LeaderElection election) {
        candidacy = election.stand(this);
    }

    @Override
    public void onElected(Term term) {
        elected.complete(term);
    }

    @Override
    public void onDemoted(Term term, DemotionReason reason) {
        demoted.complete(reason);
    }

    /** Returns the first term, or null if there is none within this time. */
    @Nullable
    Held awaitTerm(Duration limit) throws InterruptedException {
        try {
            return new Led(elected.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        candidacy.close();
    }

    private final class Led implements Held {
        private final Term term;

        Led(Term term) {
            this.term = term;
        }

        @Override
        public long token() {
            return term.fencingToken();
        }

        @Override
        public boolean held() {
            return term.isHeld();
        }

        @Override
        public long leftNanos() {
            return term.remaining().toNanos();
        }

        @Override
        public void onLost(Consumer<String> listener) {
            CompletableFuture<Void> unused = demoted.thenAccept(reason -> {
                if (reason == DemotionReason.LOST) {
                    listener.accept(reason.name());
                }
            });
        }

        @Override
        public boolean release() {
            close();
            return demoted.getNow(DemotionReason.CLOSED) != DemotionReason.LOST;
        }
    }
}
