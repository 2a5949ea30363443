package dev.leasehold.examples.stock;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.fencing.StaleTokenException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Accepts orders by {@code POST /orders/<id>/<item>}, and returns the counters by {@code GET /counters}. Status 200 has
 * an {@link Answer}. 409 means that others held the lock all the time. 503 means that the result of the order is
 * unknown: repeat it under the same id.
 */
@Component
class OrderServer implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OrderServer.class);

    private final Stock stock;
    private final Counters counters;
    private final ExecutorService threads = Executors.newFixedThreadPool(200);
    private @Nullable HttpServer server;

    OrderServer(Stock stock, Counters counters) {
        this.stock = stock;
        this.counters = counters;
    }

    @Override
    public void start() {
        try {
            HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
            started.setExecutor(threads);
            started.createContext("/orders/", this::order);
            started.createContext("/counters", this::counters);
            started.start();
            server = started;
        } catch (IOException e) {
            throw new UncheckedIOException("no port to listen on", e);
        }
    }

    int port() {
        HttpServer started = server;
        if (started == null) {
            throw new IllegalStateException("the server does not run");
        }
        return started.getAddress().getPort();
    }

    @Override
    public void stop() {
        HttpServer started = server;
        server = null;
        if (started != null) {
            started.stop(1);
        }
        threads.shutdown();
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }

    private void order(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        try {
            answer(exchange, 200, stock.sell(path[2], Integer.parseInt(path[3])).name());
        } catch (LockNotAcquiredException e) {
            answer(exchange, 409, String.valueOf(e.getMessage()));
        } catch (LockUnavailableException | LeaseLostException | StaleTokenException e) {
            counters.count(e instanceof StaleTokenException ? "refused" : "unavailable");
            answer(exchange, 503, String.valueOf(e.getMessage()));
        } catch (SQLException | RuntimeException e) {
            LOG.error("an order failed", e);
            answer(exchange, 500, e.toString());
        }
    }

    private void counters(HttpExchange exchange) throws IOException {
        answer(
                exchange,
                200,
                counters.snapshot().entrySet().stream()
                        .map(count -> count.getKey() + " " + count.getValue())
                        .collect(Collectors.joining("\n")));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
