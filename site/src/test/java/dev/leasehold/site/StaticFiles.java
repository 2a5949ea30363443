package dev.leasehold.site;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Serves the files of a directory on loopback, as any server of files would. */
final class StaticFiles implements AutoCloseable {

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css",
            "js", "text/javascript",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "txt", "text/plain; charset=utf-8",
            "yml", "text/plain; charset=utf-8",
            "woff2", "font/woff2");

    private final Path directory;
    private final HttpServer server;

    private StaticFiles(Path directory, HttpServer server) {
        this.directory = directory;
        this.server = server;
    }

    static StaticFiles of(Path directory) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        StaticFiles files = new StaticFiles(directory, server);
        server.createContext("/", files::answer);
        server.start();
        return files;
    }

    URI page(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + path);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath().substring(1);
            Path file = directory.resolve(path.isEmpty() || path.endsWith("/") ? path + "index.html" : path);
            if (!Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String name = file.getFileName().toString();
            exchange.getResponseHeaders().set("Content-Type", TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
            byte[] bytes = Files.readAllBytes(file);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
