package dev.leasehold.lettuce;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.InterruptContract;
import java.net.URI;
import java.time.Duration;

/** The contract over Lettuce, on a standalone server. */
class LettuceInterruptContractIT extends InterruptContract {

    @Override
    protected RedisTransport transport(String uri) {
        return LettuceTransport.create(new ConnectionSettings(
                URI.create(uri), "interrupts", Duration.ofSeconds(5), Duration.ofSeconds(2), TlsOptions.defaults()));
    }
}
