package dev.leasehold.fencing;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A service on Jetty, at a free port of the loopback address, with a filter before all its paths. */
final class HttpService implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    /** The work of an admitted request; its answer is sent with status 200. */
    interface Work {
        String run(HttpServletRequest request) throws Exception;
    }

    HttpService(FencingFilter filter, Work work) throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Worker(work)), "/*");
        server.setHandler(context);
        server.start();
    }

    private static final class Worker extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient Work work;

        Worker(Work work) {
            this.work = work;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                response.getWriter().print(work.run(request));
            } catch (StaleTokenException e) {
                response.setStatus(409);
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    HttpResponse<String> put(String resource, String body, String... tokens) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        new URI("http", null, "127.0.0.1", connector.getLocalPort(), "/", resource, null))
                .timeout(Duration.ofSeconds(20))
                .PUT(BodyPublishers.ofString(body));
        for (String token : tokens) {
            request.header(FencingFilter.HEADER, token);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
