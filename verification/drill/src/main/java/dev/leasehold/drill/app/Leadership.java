package dev.leasehold.drill.app;

import dev.leasehold.Leasehold;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Each instance is a candidate, and one of them leads. */
@Component
class Leadership implements LeaderListener {

    private final Candidacy candidacy;

    Leadership(Leasehold leasehold) {
        this.candidacy = Elections.of(leasehold).election("leader").stand(this);
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        candidacy.close();
    }

    boolean leads() {
        return candidacy.term().isPresent();
    }

    @Override
    public void onElected(Term term) {
        // The drill only asks who leads.
    }

    @Override
    public void onDemoted(Term term, DemotionReason reason) {
        // As above.
    }
}
