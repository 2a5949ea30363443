package dev.leasehold.quarkus.deployment;

import dev.leasehold.Lease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.OnBusy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Methods under locks. */
@ApplicationScoped
class Desk extends BaseDesk {

    @Lock("order:#{#order.id}")
    String pay(Order order) {
        return heldNow();
    }

    @Lock("order:#{#order.id}")
    String fail(Order order) {
        throw new IllegalArgumentException("no money");
    }

    @Lock(name = "order:#{#order.id}", onBusy = OnBusy.SKIP)
    Optional<String> skip(Order order) {
        return Optional.of(heldNow());
    }

    @Lock(name = "order:#{#order.id}", onBusy = OnBusy.FALLBACK, fallback = "later")
    String orElse(Order order) {
        return heldNow();
    }

    private String later(Order order) {
        return "later " + order.id();
    }

    @Lock("token")
    long token(@Nullable Lease lease) {
        return lease == null ? 0 : lease.fencingToken();
    }

    @Lock("order:#{#order.id}")
    String outer(Order order) {
        return pay(order);
    }

    @Lock(name = "region:${desk.region}", waitTime = "${desk.wait}", leaseTime = "${desk.lease:5s}")
    String regional() {
        return heldNow();
    }

    @ApplicationIT.StockLock
    String composed() {
        return heldNow();
    }

    @Lock(name = "pooled", executor = "pool")
    String pooled() {
        return Thread.currentThread().getName() + " " + heldNow();
    }

    @Lock("stage")
    CompletionStage<String> stage(CompletionStage<String> work) {
        return work;
    }

    @Lock("uni")
    Uni<String> uni() {
        return Uni.createFrom().item(() -> "uni");
    }
}
