package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisTransportProviderTest {

    private final RedisTransportProvider provider = new RedisTransportProvider() {
        @Override
        public boolean supports(String scheme) {
            return false;
        }

        @Override
        public RedisTransport open(ConnectionSettings settings) {
            throw new UnsupportedOperationException();
        }
    };

    @Test
    void tellsWhetherItsClientIsOnTheClassPath() {
        assertThat(provider.canLoad("dev.leasehold.spi.RedisTransport")).isTrue();
        assertThat(provider.canLoad("dev.leasehold.spi.NoSuchClient")).isFalse();
    }
}
