package dev.leasehold.examples.spring;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An application that uses the starter. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import({Payments.class, Ledger.class, NightlyReport.class})
class PaymentsApplication {

    @Bean(destroyMethod = "shutdown")
    ExecutorService reports() {
        return Executors.newFixedThreadPool(2);
    }
}
