package dev.leasehold.examples.shedlock;

import dev.leasehold.Leasehold;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * One instance of the application. Needs the properties {@code redis.uri} and {@code report.cron}, and an
 * {@link Archive}.
 */
@Configuration
@EnableScheduling
@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
public class ReportsApplication {

    @Bean
    Leasehold leasehold(@Value("${redis.uri}") String uri) {
        return Leasehold.connect(uri);
    }

    @Bean
    LockProvider lockProvider(Leasehold leasehold, Archive archive) {
        // example: shedlock-provider
        LockProvider provider = LeaseholdLockProvider.builder(leasehold)
                .keepAlive(
                        Duration.ofSeconds(2)) // renewed while the job runs; an instance that dies blocks for 2 s only
                .onLost(loss -> archive.note("lost by " + loss.cause()))
                .build();
        // end
        return provider;
    }

    @Bean
    NightlyReport nightlyReport(Archive archive) {
        return new NightlyReport(archive);
    }
}
