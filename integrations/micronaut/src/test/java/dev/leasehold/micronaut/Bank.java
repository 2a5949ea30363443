package dev.leasehold.micronaut;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.MultiLease;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.ReactiveCurrentLease;
import io.micronaut.scheduling.annotation.Async;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A bean whose methods run under locks. */
@Singleton
class Bank {

    record Account(String id) {}

    final AtomicInteger calls = new AtomicInteger();
    final CompletableFuture<String> stage = new CompletableFuture<>();
    final Sinks.Many<String> values = Sinks.many().unicast().onBackpressureBuffer();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);

    @Lock("account:#{#account.id}")
    String lockOf(Account account) {
        return CurrentLease.get().name();
    }

    @Lock("account:#{#account.id()}")
    public long token(Account account, Lease lease) {
        return lease.fencingToken();
    }

    @Lock("account:#{#id}")
    public String byThis(String id) {
        calls.incrementAndGet();
        return lockOf(new Account(id));
    }

    @Lock(names = {"account:#{#from}", "account:#{#to}"})
    public String transfer(String from, String to, MultiLease lease) {
        return lease.name();
    }

    @Lock(name = "account:#{#id}", onBusy = Lock.OnBusy.FALLBACK, fallback = "busy")
    public String orElse(String id) {
        return "ran";
    }

    String busy(String id, LockNotAcquiredException busy) {
        return "busy: " + busy.lockName();
    }

    @Lock(name = "${bank.prefix}:#{#id}", leaseTime = "${bank.lease:10s}", executor = "io")
    public String inPool(String id) {
        return CurrentLease.get().name() + " in " + Thread.currentThread().getName();
    }

    @Lock("checked")
    public void checked() throws java.io.IOException {
        throw new java.io.IOException("the method's own");
    }

    @Lock("stage")
    public CompletionStage<String> stage() {
        return stage;
    }

    @Async
    @Lock("async")
    public CompletionStage<String> async() {
        return CompletableFuture.completedFuture(
                CurrentLease.get().name() + " in " + Thread.currentThread().getName());
    }

    @Lock("mono:#{#id}")
    public Mono<String> mono(String id) {
        calls.incrementAndGet();
        return ReactiveCurrentLease.get().map(Lease::name);
    }

    @Lock(name = "waiting:#{#id}", waitTime = "20s")
    public Mono<Long> waiting(String id, Lease lease) {
        return Mono.fromSupplier(lease::fencingToken);
    }

    @Lock("flux")
    public Flux<String> flux() {
        return values.asFlux();
    }

    @Lock("publisher")
    public Publisher<String> publisher() {
        return ReactiveCurrentLease.get().map(Lease::name);
    }

    @Lock("slow")
    public boolean slow(Lease lease) throws InterruptedException {
        begun.countDown();
        mayEnd.await();
        lease.ensureHeld();
        return true;
    }
}
