package dev.leasehold.examples.spring;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.MultiLease;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import org.springframework.stereotype.Component;

/** Methods under locks. */
@Component
class Payments {
    private final Ledger ledger;

    Payments(Ledger ledger) {
        this.ledger = ledger;
    }

    // example: spring-lock
    @Lock(name = "order:#{#order.id}", waitTime = "5s") // one payment of an order at a time
    public void pay(Order order) {
        ledger.enter("paid " + order.id(), CurrentLease.get().fencingToken());
    }
    // end

    // example: spring-article
    @Lock(
            name = "report:#{#day}",
            leaseTime = "10s", // renewed after nine tenths of it, twelve times at the most
            renewalRatio = 0.9,
            maxRenewals = 12,
            executor = "reports", // runs in that pool, while the caller waits
            onBusy = Lock.OnBusy.FALLBACK,
            fallback = "isBeingWritten")
    public String write(String day, Lease lease) {
        ledger.enter("report of " + day, lease.fencingToken());
        return "written";
    }

    String isBeingWritten(String day, LockNotAcquiredException busy) {
        return "another instance is writing " + day;
    }
    // end

    // example: spring-names
    @Lock(
            names = {"account:#{#from}", "account:#{#to}"},
            waitTime = "5s")
    public void transfer(String from, String to, MultiLease lease) {
        ledger.enter("from " + from, lease.fencingToken("account:" + from));
        ledger.enter("to " + to, lease.fencingToken("account:" + to));
    }
    // end
}
