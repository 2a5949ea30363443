package dev.leasehold.examples.spring;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pools that run methods under locks. */
@Configuration(proxyBeanMethods = false)
class Pools {

    // example: spring-pool
    @Bean(destroyMethod = "shutdown")
    ExecutorService reports() {
        return Executors.newFixedThreadPool(2);
    }
    // end
}
