package dev.leasehold.console;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A console that each test starts, its client, and another client. */
@WithRedis
abstract class ServedConsole {

    static final Duration LIMIT = Duration.ofSeconds(60);

    /** Markup, a bell, a mark that reverses the reading direction, and a backslash. */
    static final String HOSTILE = "<script>alert(1)</script>\u0007\u202E\\b";

    static final String SHOWN = "<script>alert(1)</script>\\u0007\\u202e\\\\b";

    EmbeddedRedis redis;
    Leasehold leasehold;
    Leasehold other;
    Console console;
    ConsoleServer server;
    String cookie;

    @BeforeEach
    void start(EmbeddedRedis running) throws Exception {
        redis = running;
        leasehold = Leasehold.connect(redis.uri());
        other = Leasehold.builder().uri(redis.uri()).shareStacks(true).build();
        serve(true);
    }

    final void serve(boolean openActions) throws Exception {
        console = Console.over(leasehold);
        server = ConsoleServer.start(console, 0, openActions);
        cookie = RawRequest.session(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
        console.close();
        other.close();
        leasehold.close();
    }

    final Events watch(String query) {
        return Events.open(server.uri(), cookie, query);
    }
}
