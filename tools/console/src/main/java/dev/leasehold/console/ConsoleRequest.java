package dev.leasehold.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of HTTP, as a server presents it to the {@link ConsoleDispatcher}. */
public interface ConsoleRequest {

    /**
     * Returns the method.
     *
     * @return the method in upper case, such as GET
     */
    String method();

    /**
     * Returns the path below that of the console.
     *
     * @return the decoded path without a leading slash; empty for the page itself
     */
    String path();

    /**
     * Returns the query.
     *
     * @return the query, not decoded, or null
     */
    @Nullable
    String query();

    /**
     * Returns all values of a header.
     *
     * @param name the name of the header, in any case
     * @return the values in their order; empty if there is none
     */
    List<String> headers(String name);

    /**
     * Returns the body.
     *
     * @return a stream of the body
     * @throws IOException if it cannot be read
     */
    InputStream body() throws IOException;
}
