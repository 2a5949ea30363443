package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;

/** Runs beside the contracts with each version of Jedis: else a wrong class path would let them pass on one alone. */
class JedisVersionIT {

    @Test
    void theJedisThatIsMeantIsTheJedisThatRuns() throws IOException {
        Properties properties = new Properties();
        try (InputStream about = Connection.class.getResourceAsStream("pom.properties")) {
            properties.load(about);
        }
        assertThat(properties).containsEntry("version", System.getProperty("leasehold.jedis.version"));
    }
}
