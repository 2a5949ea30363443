package dev.leasehold.examples.spring;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

/** An application that uses the starter. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
@Import({Payments.class, Ledger.class, NightlyReport.class, Pools.class})
class PaymentsApplication {}
