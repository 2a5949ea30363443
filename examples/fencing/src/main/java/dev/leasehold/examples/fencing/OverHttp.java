package dev.leasehold.examples.fencing;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.fencing.FencingFilter;
import dev.leasehold.fencing.FencingGuard;
import dev.leasehold.fencing.JdbcFenceColumn;
import dev.leasehold.fencing.JdbcFenceTable;
import dev.leasehold.fencing.StaleTokenException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Optional;
import javax.sql.DataSource;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;

/** A service that refuses requests of holders whose lease is over, and one of its clients. */
public final class OverHttp {

    private OverHttp() {}

    /**
     * Maps the filter to {@code /lottery/*}.
     *
     * @param context the context of the servlets
     * @param dataSource the database, shared by all instances of the service
     */
    public static void mapFilter(ServletContextHandler context, DataSource dataSource) {
        // example: fence-filter
        FencingGuard guard = JdbcFenceTable.named("leasehold_fence").over(dataSource); // shared by all instances
        FencingFilter filter = new FencingFilter(
                guard,
                request -> request.getMethod().equals("GET")
                        ? Optional.empty() // may be read without a lease
                        : Optional.of("lottery:" + request.getPathInfo().substring(1)));
        context.addFilter(new FilterHolder(filter), "/lottery/*", EnumSet.of(DispatcherType.REQUEST));
        // end
    }

    /** The servlet behind the filter. */
    public static final class LotteryServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient DataSource dataSource;

        /**
         * Uses an existing table.
         *
         * @param dataSource the database of the table
         */
        public LotteryServlet(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        // example: fence-servlet
        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String day = request.getPathInfo().substring(1);
            String winners = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            try (Connection connection = dataSource.getConnection()) {
                JdbcFenceColumn.of("lottery", "fence", "draw_day")
                        .row(day)
                        .update(connection, FencingFilter.tokenOf(request), "winners = ?", winners);
            } catch (StaleTokenException e) {
                response.sendError(409); // a later holder was admitted while this request was paused behind the filter
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
        // end
    }

    static int put(Leasehold leasehold, URI service, String winners) throws IOException, InterruptedException {
        // example: fence-client
        try (Lease lease = leasehold.lock("lottery:2026-11-21").acquire()) {
            HttpRequest request = HttpRequest.newBuilder(service.resolve("/lottery/2026-11-21"))
                    .header("Fencing-Token", Long.toString(lease.fencingToken()))
                    .PUT(BodyPublishers.ofString(winners))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.discarding())
                    .statusCode(); // 409: stop
        }
        // end
    }
}
