package dev.leasehold.examples.spring;

import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that each instance schedules, and one of them runs. */
@Component
class NightlyReport {
    private final List<Long> tokens = new CopyOnWriteArrayList<>();

    // example: spring-scheduled
    @Scheduled(cron = "${report.cron}") // in every instance
    @Lock(name = "nightly-report", onBusy = Lock.OnBusy.SKIP, minHold = "20s") // in one of them
    public void run() {
        write(CurrentLease.get().fencingToken());
    }
    // end

    private void write(long token) {
        tokens.add(token);
    }

    List<Long> tokens() {
        return tokens;
    }
}
