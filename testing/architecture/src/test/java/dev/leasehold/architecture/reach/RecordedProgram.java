package dev.leasehold.architecture.reach;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleServer;
import dev.leasehold.fencing.RedisGuard;
import dev.leasehold.jedis.JedisTransport;
import dev.leasehold.spi.RedisTransport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Uses each library that has metadata for a native image, on the Redis of the given URI. */
public final class RecordedProgram {

    private RecordedProgram() {}

    public static void main(String[] args) throws Exception {
        try (Leasehold leasehold = Leasehold.connect(args[0])) {
            leases(leasehold);
            page(leasehold);
        }
        URI server = URI.create(args[0]);
        ConnectionProvider pool = new PooledConnectionProvider(new HostAndPort(server.getHost(), server.getPort()));
        try (UnifiedJedis jedis = new UnifiedJedis(pool, 1, Duration.ofSeconds(2));
                RedisTransport transport = JedisTransport.over(jedis);
                Leasehold leasehold = Leasehold.builder().transport(transport).build()) {
            leases(leasehold);
            RedisGuard.over(transport).admit("report", 7);
        }
    }

    private static void leases(Leasehold leasehold) throws InterruptedException {
        LockOptions retaining =
                LockOptions.builder().retainFor(Duration.ofMillis(200)).build();
        try (Lease lease = leasehold.lock("report").with(retaining).acquire()) {
            lease.extend(Duration.ofSeconds(1));
        }
        try (Lease lease = leasehold.fairLock("queue").acquire()) {
            leasehold
                    .lock("queue")
                    .tryAcquireAsync(Duration.ofMillis(500))
                    .toCompletableFuture()
                    .join();
            leasehold.lock("queue").inspect();
            lease.ensureHeld();
        }
        leasehold.readWriteLock("prices").readLock().acquire().close();
        leasehold.semaphore("printer", 2).acquire().close();
        leasehold.latch("parts").trySet(1, Duration.ofMinutes(1));
        leasehold.latch("parts").countDown("one");
    }

    private static void page(Leasehold leasehold) throws Exception {
        try (Console console = Console.over(leasehold, "one server");
                ConsoleServer server = ConsoleServer.start(console, 0, false)) {
            HttpResponse<String> page = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(server.uri()).build(), HttpResponse.BodyHandlers.ofString());
            if (page.statusCode() != 200) {
                throw new IllegalStateException("the console answered " + page.statusCode());
            }
        }
    }
}
