package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.Leasehold;
import org.junit.jupiter.api.Test;

class JedisSocketTest {

    @Test
    void aUnixSocketIsRefusedWithWhatToDoInstead() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JedisTransport.create(settings("redis-socket://:s3cret@/run/redis.sock")))
                .withMessageContaining("redis://host:port")
                .withMessageContaining("leasehold-lettuce")
                .withMessageNotContaining("s3cret");
        assertThatIllegalStateException()
                .isThrownBy(() -> Leasehold.connect("redis-socket://:s3cret@/run/redis.sock"))
                .withMessageContaining("leasehold-lettuce")
                .withMessageNotContaining("s3cret");
    }
}
