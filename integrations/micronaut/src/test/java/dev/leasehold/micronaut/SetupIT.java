package dev.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Credentials;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedis;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.security.authentication.AuthenticationRequest;
import io.micronaut.security.authentication.AuthenticationResponse;
import io.micronaut.security.authentication.provider.HttpRequestAuthenticationProvider;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an application gets by its properties, and what does not start. */
@WithRedis
class SetupIT {

    private final EmbeddedRedis redis;

    SetupIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    private static Map<String, Object> with(Object... properties) {
        Map<String, Object> all = new HashMap<>(Map.of("bank.prefix", "p", "micronaut.security.enabled", false));
        for (int i = 0; i < properties.length; i += 2) {
            all.put((String) properties[i], properties[i + 1]);
        }
        return all;
    }

    @Singleton
    @Requires(property = "wrong")
    static class Wrong {
        @Lock("x:#{#missing}")
        public void unknown(String there) {}

        @Lock("x:#{#there.nothing}")
        public void property(String there) {}

        @Lock(name = "x", waitTime = "5")
        public void withoutUnit() {}

        @Lock(name = "${nowhere.set}")
        public void placeholder() {}

        @Lock("x")
        public Future<String> future() {
            throw new UnsupportedOperationException();
        }

        @Lock(name = "x", executor = "nowhere")
        public void noPool() {}

        @Lock(name = "x", release = Lock.Release.AFTER_TRANSACTION)
        public void afterTransaction() {}
    }

    @Test
    void invalidUsesFailTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(with("leasehold.uri", redis.uri(), "wrong", true)))
                .isInstanceOfSatisfying(
                        LockSetupException.class,
                        e -> assertThat(e.problems())
                                .hasSize(7)
                                .anyMatch(problem -> problem.contains("#missing is no parameter; there are #there"))
                                .anyMatch(
                                        problem -> problem.contains("java.lang.String has no public property nothing"))
                                .anyMatch(problem -> problem.contains("waitTime '5' is not a duration"))
                                .anyMatch(problem -> problem.contains("nowhere.set"))
                                .anyMatch(problem -> problem.contains("future() returns a Future"))
                                .anyMatch(problem ->
                                        problem.contains("executor 'nowhere', but there is no Executor bean"))
                                .anyMatch(problem ->
                                        problem.contains("the end of a transaction cannot be observed here")));
    }

    interface Shop {
        @Lock("x")
        void open();
    }

    @Singleton
    @Requires(property = "by-interface")
    static class CornerShop implements Shop {
        @Override
        public void open() {}
    }

    interface Handler<T> {
        void handle(T event);
    }

    abstract static class Base {
        @Lock("inherited")
        public String inherited() {
            return CurrentLease.get().name();
        }
    }

    @Singleton
    @Requires(property = "inheriting")
    static class Inheriting extends Base implements Handler<String> {
        @Override
        @Lock("handled:#{#event}")
        public void handle(String event) {
            assertThat(CurrentLease.get().name()).isEqualTo("handled:" + event);
        }
    }

    @Test
    void inheritedAndGenericMethodsAreIntercepted() {
        try (ApplicationContext context =
                ApplicationContext.run(with("leasehold.uri", redis.uri(), "inheriting", true))) {
            Inheriting bean = context.getBean(Inheriting.class);
            assertThat(bean.inherited()).isEqualTo("inherited");
            Handler<String> handler = bean;
            handler.handle("7");
        }
    }

    interface HasDefault {
        String get();

        default String ofInterface() {
            return get();
        }
    }

    static class GenericBase<T> {
        @Lock("generic:#{#what}")
        public String generic(T what) {
            return CurrentLease.get().name();
        }

        @Lock("wide")
        public CharSequence narrowed() {
            return CurrentLease.get().name();
        }

        @Lock("erased")
        public String taken(T what) {
            return CurrentLease.get().name();
        }
    }

    /** For some of its methods the compiler adds a second one with the erased or wider signature. */
    @Singleton
    @Requires(property = "shapes")
    static class Shapes extends GenericBase<String> implements Supplier<String>, HasDefault {
        @Override
        @Lock("get")
        public String get() {
            return CurrentLease.get().name();
        }

        @Override
        @Lock("narrow")
        public String narrowed() {
            return CurrentLease.get().name();
        }

        @Override
        @Lock("taken:#{#what}")
        public String taken(String what) {
            return CurrentLease.get().name();
        }

        String byThis() {
            return get();
        }

        String inLambda() {
            Supplier<String> call = () -> get();
            return call.get();
        }

        String byReference() {
            Supplier<String> call = this::narrowed;
            return call.get();
        }

        String inInnerClass() {
            return new Object() {
                String call() {
                    return get();
                }
            }.call();
        }
    }

    @Test
    void methodsOfEveryShapeAreInterceptedOnceAndCallsByThisToo() {
        try (ApplicationContext context = ApplicationContext.run(with("leasehold.uri", redis.uri(), "shapes", true))) {
            Shapes shapes = context.getBean(Shapes.class);
            Supplier<String> erased = shapes;
            assertThat(erased.get()).isEqualTo("get");
            GenericBase<String> base = shapes;
            assertThat(base.narrowed()).isEqualTo("narrow");
            assertThat(base.taken("x")).isEqualTo("taken:x");
            assertThat(base.generic("x")).isEqualTo("generic:x");
            assertThat(shapes.byThis()).isEqualTo("get");
            assertThat(shapes.inLambda()).isEqualTo("get");
            assertThat(shapes.byReference()).isEqualTo("narrow");
            assertThat(shapes.inInnerClass()).isEqualTo("get");
            assertThat(shapes.ofInterface()).isEqualTo("get");
        }
    }

    @Singleton
    @Requires(property = "farewell")
    static class Farewell {
        private static final Queue<String> NOTED = new ConcurrentLinkedQueue<>();

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        @Lock("farewell")
        public void early(ShutdownEvent event) {
            NOTED.add("listener " + CurrentLease.get().name());
        }

        @Lock("late")
        public void locked() {}

        @PreDestroy
        void late() {
            try {
                locked();
                NOTED.add("destroyed under its lock");
            } catch (IllegalStateException e) {
                NOTED.add("destroyed " + e.getClass().getSimpleName());
            }
        }
    }

    @Test
    void anEarlyListenerOfTheShutdownMayHaveALock() {
        try (ApplicationContext context =
                ApplicationContext.run(with("leasehold.uri", redis.uri(), "farewell", true))) {
            assertThat(context.getBean(Farewell.class)).isNotNull();
        }
        assertThat(Farewell.NOTED).containsExactly("listener farewell", "destroyed IllegalStateException");
    }

    static class Stock {
        @Lock("x")
        public void take() {}
    }

    @Factory
    @Requires(property = "by-factory")
    static class Stocks {
        @Singleton
        Stock stock() {
            return new Stock();
        }
    }

    @Test
    void methodsThatWouldRunWithoutTheirLockFailTheStart() {
        assertThatThrownBy(() -> ApplicationContext.run(with("leasehold.uri", redis.uri(), "by-interface", true)))
                .isInstanceOf(LockSetupException.class)
                .hasMessageContaining("Shop.open is not intercepted");
        assertThatThrownBy(() -> ApplicationContext.run(with("leasehold.uri", redis.uri(), "by-factory", true)))
                .isInstanceOf(LockSetupException.class)
                .hasMessageContaining("Stock.take is not intercepted");
    }

    @Test
    void anApplicationWithoutAServerSaysWhatToSet() {
        assertThatThrownBy(() -> {
                    ApplicationContext.run(with("redis.enabled", false));
                })
                .hasStackTraceContaining("set leasehold.uri, or add micronaut-redis-lettuce");
    }

    @Test
    void locksOfAPatternHaveItsFormat() {
        try (ApplicationContext context = ApplicationContext.run(
                with("leasehold.uri", redis.uri(), "leasehold.lock.format.order:*", "redisson"))) {
            Leasehold leasehold = context.getBean(Leasehold.class);
            try (Lease held = leasehold.lock("order:17").tryAcquire().orElseThrow()) {
                assertThat(redis.command("HLEN", held.name())).isEqualTo(1L);
            }
        }
        assertThatThrownBy(() -> ApplicationContext.run(
                        with("leasehold.uri", redis.uri(), "leasehold.lock.format.stock", "redission")))
                .hasStackTraceContaining("no lock format 'redission'");
    }

    @Test
    void leaseholdCanBeSwitchedOff() {
        try (ApplicationContext context = ApplicationContext.run(with("leasehold.enabled", false))) {
            assertThat(context.containsBean(Leasehold.class)).isFalse();
        }
    }

    @Test
    void theLettuceClientOfTheApplicationIsLentAndNotClosed() {
        RedisClient client;
        try (ApplicationContext context = ApplicationContext.run(with("redis.uri", redis.uri()))) {
            Leasehold leasehold = context.getBean(Leasehold.class);
            client = context.getBean(RedisClient.class);
            try (Lease lease = leasehold.lock("lent").tryAcquire().orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            leasehold.close();
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        }
    }

    @Factory
    @Requires(property = "in-memory")
    static class InMemory {
        @Singleton
        Leasehold leasehold() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    @Test
    void aClientOfTheApplicationReplacesThatOfTheModule() {
        try (ApplicationContext context = ApplicationContext.run(with("redis.enabled", false, "in-memory", true))) {
            assertThat(context.getBean(Leasehold.class)).isInstanceOf(InMemoryLeasehold.class);
            assertThat(context.getBean(Bank.class).lockOf(new Bank.Account("1")))
                    .isEqualTo("account:1");
        }
    }

    @Factory
    @Requires(property = "metered")
    static class Meters {
        @Bean
        @Singleton
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void aMeterRegistryGetsTheMetersOfLocks() {
        try (ApplicationContext context = ApplicationContext.run(with("leasehold.uri", redis.uri(), "metered", true))) {
            context.getBean(Bank.class).lockOf(new Bank.Account("1"));
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> registry.get("leasehold.acquired").counter().count() == 1);
        }
    }

    @Test
    void healthAndEndpointShowTheLocksOfTheInstance() throws Exception {
        Map<String, Object> properties =
                with("leasehold.uri", redis.uri(), "leasehold.endpoint.allow-forced-release", true);
        properties.put("leasehold.endpoint.allow-without-role", true);
        properties.put("micronaut.server.port", -1);
        properties.put("endpoints.all.sensitive", false);
        properties.put("endpoints.health.details-visible", "ANONYMOUS");
        properties.put("endpoints.leasehold.enabled", true);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties)) {
            Leasehold leasehold = server.getApplicationContext().getBean(Leasehold.class);
            Lease lease = leasehold.lock("shown").tryAcquire().orElseThrow();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(answer(server, "GET", "/health"))
                            .contains("\"leasehold\":{")
                            .contains("\"held\":1"));
            assertThat(answer(server, "GET", "/leasehold")).contains("\"lock\":\"shown\"");
            assertThat(answer(server, "GET", "/leasehold/shown"))
                    .contains("\"owner\":\"" + lease.owner() + "\"")
                    .contains("\"fencingToken\":" + lease.fencingToken());
            assertThat(answer(server, "DELETE", "/leasehold/shown/1")).contains("\"released\":false");
            assertThat(answer(server, "DELETE", "/leasehold/shown/" + lease.fencingToken()))
                    .contains("\"released\":true");
            assertThat(answer(server, "DELETE", "/leasehold/shown")).contains("\"released\":false");
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    void theEndpointRefusesAForcedReleaseByDefault() throws Exception {
        Map<String, Object> properties = with("leasehold.uri", redis.uri(), "endpoints.leasehold.enabled", true);
        properties.put("micronaut.server.port", -1);
        properties.put("endpoints.all.sensitive", false);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties);
                Lease lease = server.getApplicationContext()
                        .getBean(Leasehold.class)
                        .lock("kept")
                        .tryAcquire()
                        .orElseThrow()) {
            assertThat(answer(server, "DELETE", "/leasehold/kept"))
                    .contains("\"allowed\":false")
                    .contains("leasehold.endpoint.allow-forced-release=true");
            lease.ensureHeld();
        }
    }

    /** Who logs in as somebody with the name of a role as password has that role. */
    @Singleton
    @Requires(property = "users")
    static class Users implements HttpRequestAuthenticationProvider<Object> {

        @Override
        public AuthenticationResponse authenticate(
                io.micronaut.http.@Nullable HttpRequest<Object> request, AuthenticationRequest<String, String> login) {
            return AuthenticationResponse.success(login.getIdentity(), List.of(login.getSecret()));
        }
    }

    @Test
    void aForcedReleaseNeedsTheRoleAndTheLogNamesTheUser() throws Exception {
        Map<String, Object> properties =
                with("leasehold.uri", redis.uri(), "leasehold.endpoint.allow-forced-release", true);
        properties.putAll(Map.of("users", true, "micronaut.security.enabled", true));
        properties.putAll(Map.of("micronaut.server.port", -1, "endpoints.all.sensitive", false));
        properties.put("endpoints.leasehold.enabled", true);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties)) {
            Lease lease = server.getApplicationContext()
                    .getBean(Leasehold.class)
                    .lock("guarded")
                    .tryAcquire()
                    .orElseThrow();
            assertThat(answer(server, "DELETE", "/leasehold/guarded", "ann:operator"))
                    .contains("\"allowed\":false")
                    .contains("leasehold.endpoint.role");
            // A lease that is left at the end would be waited for.
            lease.release();
        }
        properties.put("leasehold.endpoint.role", "operator");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.micronaut");
        log.start();
        logger.addAppender(log);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties)) {
            Leasehold leasehold = server.getApplicationContext().getBean(Leasehold.class);
            Lease lease = leasehold.lock("guarded").acquire();
            for (String user : List.of("", "eve:guest")) {
                assertThat(answer(server, "DELETE", "/leasehold/guarded", user))
                        .contains("\"allowed\":false")
                        .contains("does not have the role");
                assertThat(answer(server, "DELETE", "/leasehold/guarded/" + lease.fencingToken(), user))
                        .contains("\"allowed\":false");
            }
            lease.ensureHeld();
            assertThat(answer(server, "DELETE", "/leasehold/guarded/" + lease.fencingToken(), "ann:operator"))
                    .contains("\"released\":true");
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("user 'ann'") && line.contains("guarded"));
        } finally {
            logger.detachAppender(log);
        }
    }

    @Factory
    @Requires(property = "rotating")
    static class Rotating {
        @Singleton
        Credentials.Supplier credentials() {
            return () -> new Credentials("rotating", "s3cret");
        }
    }

    @Test
    void aSupplierOfTheApplicationAuthenticates() throws InterruptedException {
        redis.command("ACL", "SETUSER", "rotating", "reset", "on", ">s3cret", "~*", "&*", "+@all");
        String uri = "redis://" + redis.host() + ":" + redis.port();
        try (ApplicationContext context = ApplicationContext.run(with("leasehold.uri", uri, "rotating", true))) {
            context.getBean(Leasehold.class).lock("report").acquire().close();
            assertThat(redis.command("CLIENT", "LIST").toString()).contains("user=rotating");
        }
    }

    @Factory
    @Requires(property = "suppliers")
    static class Suppliers {
        @Singleton
        @SuppressWarnings("rawtypes")
        Supplier raw() {
            return () -> "raw";
        }

        @Singleton
        Supplier<Integer> number() {
            return () -> 1;
        }
    }

    @Test
    void otherSuppliersOfTheApplicationAreNotTakenForCredentials() throws InterruptedException {
        try (ApplicationContext context =
                ApplicationContext.run(with("leasehold.uri", redis.uri(), "suppliers", true))) {
            assertThat(context.getBeansOfType(Supplier.class)).hasSizeGreaterThanOrEqualTo(2);
            context.getBean(Leasehold.class).lock("report").acquire().close();
        }
    }

    private static String answer(EmbeddedServer server, String method, String path) throws Exception {
        return answer(server, method, path, "");
    }

    private static String answer(EmbeddedServer server, String method, String path, String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (!user.isEmpty()) {
            String login = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + login);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
