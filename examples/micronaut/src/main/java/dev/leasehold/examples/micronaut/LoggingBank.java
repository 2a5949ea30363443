package dev.leasehold.examples.micronaut;

import io.micronaut.context.annotation.Secondary;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each payment to the log. */
@Singleton
@Secondary
final class LoggingBank implements Bank {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingBank.class);

    @Override
    public void transfer(Order order, long token) {
        LOG.info("paid an order, token {}", token);
    }
}
