package dev.leasehold.console.internal.view;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The files of the page, read once from the jar. No path leads out of their list. */
public final class Page {

    private static final Map<String, File> FILES = new TreeMap<>();

    static {
        add("index.html", "text/html");
        add("console.css", "text/css");
        add("icon.svg", "image/svg+xml");
        for (String module : new String[] {
            "app",
            "connection",
            "dom",
            "format",
            "i18n",
            "parts",
            "screen-now",
            "screen-lock",
            "screen-waits",
            "wait-layout",
            "screen-heat",
            "screen-servers",
            "actions"
        }) {
            add(module + ".js", "text/javascript");
        }
    }

    private Page() {}

    /**
     * A file of the page.
     *
     * @param type its content type
     * @param text its content
     */
    public record File(String type, String text) {}

    private static void add(String name, String type) {
        try (InputStream in = Page.class.getResourceAsStream("/dev/leasehold/console/page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks the file " + name + " of the page");
            }
            FILES.put(name, new File(type + "; charset=utf-8", new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a file by its path; the empty path is the page itself. */
    public static Optional<File> file(String path) {
        return Optional.ofNullable(FILES.get(path.isEmpty() ? "index.html" : path));
    }
}
