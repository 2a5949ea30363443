package dev.leasehold.examples.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.shedlock.JobLease;
import java.util.List;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.scheduling.annotation.Scheduled;

/** The job. */
public class NightlyReport {

    private static final List<String> PAGES = List.of("orders", "invoices", "returns");

    private final Archive archive;

    NightlyReport(Archive archive) {
        this.archive = archive;
    }

    // example: shedlock-job
    /** Runs in one instance; the others find the lock taken, and skip the night. */
    @Scheduled(cron = "${report.cron}")
    @SchedulerLock(name = "report", lockAtMostFor = "PT1H", lockAtLeastFor = "PT1S")
    public void write() {
        Lease lease = JobLease.get();
        for (String page : PAGES) {
            lease.ensureHeld(); // throws once the lock is lost: another instance may write by now
            archive.append(page, lease.fencingToken()); // refuses a token lower than one it has seen
        }
    }
    // end
}
