package dev.leasehold.examples.fencing;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.fencing.RedisGuard;
import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisTransport;
import io.lettuce.core.RedisClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Data in Redis that refuses a holder whose lease is over. */
public final class InRedis {

    private final Leasehold leasehold;
    private final RedisClient redisClient;

    /**
     * Uses a Redis client of the application.
     *
     * @param leasehold the client of the locks
     * @param redisClient the client of the data
     */
    public InRedis(Leasehold leasehold, RedisClient redisClient) {
        this.leasehold = leasehold;
        this.redisClient = redisClient;
    }

    void countDown() throws InterruptedException {
        // example: fence-redis
        try (RedisTransport transport = LettuceTransport.over(redisClient)) { // one for the whole application
            RedisGuard guard = RedisGuard.over(transport);
            try (Lease lease = leasehold.lock("stock:17").acquire()) {
                long token = lease.fencingToken();
                // A key with {stock:17} in it has the slot of the fence, if the server is a cluster.
                List<@Nullable String> pieces = guard.run("stock:17", token, "GET", "{stock:17}:pieces");
                int left = Integer.parseInt(pieces.get(0)) - 1;
                guard.run("stock:17", token, "SET", "{stock:17}:pieces", Integer.toString(left));
            }
        }
        // end
    }
}
