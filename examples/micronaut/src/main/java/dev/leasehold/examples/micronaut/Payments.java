package dev.leasehold.examples.micronaut;

import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import jakarta.inject.Singleton;

/** Pays orders. */
@Singleton
class Payments {

    private final Bank bank;

    Payments(Bank bank) {
        this.bank = bank;
    }

    // example: micronaut-lock
    @Lock(name = "order:#{#order.id}", waitTime = "5s") // one payment of an order at a time
    public long pay(Order order) {
        long token = CurrentLease.get().fencingToken();
        bank.transfer(order, token);
        return token;
    }
    // end
}
