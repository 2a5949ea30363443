package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Auto-configuration of what a web application answers to a request that did not get its lock, or lost it, if the application handles the exception
 * nowhere: 409 if others hold it, 503 if Redis does not answer, each with {@code Retry-After}, and 500 if the lease was lost.
 * {@code leasehold.web.enabled=false} switches it off.
 */
@AutoConfiguration(
        after = LeaseholdAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration",
            "org.springframework.boot.autoconfigure.web.reactive.error.ErrorWebFluxAutoConfiguration"
        })
@ConditionalOnBean(Leasehold.class)
@ConditionalOnProperty(prefix = "leasehold.web", name = "enabled", matchIfMissing = true)
public final class LeaseholdWebAutoConfiguration {

    LeaseholdWebAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(HandlerExceptionResolver.class)
    static class InServletApplication {

        @Bean
        LockExceptionResolver leaseholdExceptionResolver() {
            return new LockExceptionResolver();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebExceptionHandler.class)
    static class InReactiveApplication {

        @Bean
        LockWebExceptionHandler leaseholdWebExceptionHandler() {
            return new LockWebExceptionHandler();
        }
    }
}
