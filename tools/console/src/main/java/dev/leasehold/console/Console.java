package dev.leasehold.console;

import dev.leasehold.Leasehold;
import dev.leasehold.console.internal.act.Actions;
import dev.leasehold.console.internal.observe.LockObservation;
import dev.leasehold.console.internal.observe.Reading;
import dev.leasehold.console.internal.observe.RefreshPace;
import dev.leasehold.console.internal.view.Json;
import dev.leasehold.console.internal.view.Page;
import dev.leasehold.console.internal.view.Screens;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The console without an HTTP server: the files of the page, the states of its screens, and the actions. It sends requests to
 * Redis only while a {@link ConsoleStream} is open, for at most a tenth of the time, and at most about 200 commands a second to one
 * server; in a cluster each held lock takes a command. It checks neither who asks nor whence: a {@link ConsoleDispatcher} checks
 * whence a request comes, and the server before it who asks, such as {@link ConsoleServer}. Safe for use by several threads.
 */
public final class Console implements AutoCloseable {

    private static final Duration SERVER_CHECKS = Duration.ofSeconds(30);

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store",
            // Tells the page that the console itself has answered, and no filter before it.
            "X-Leasehold-Console",
            "1");

    private final LockObservation locks;
    private final Reading<WaitGraph> waits;
    private final Reading<List<Finding>> checks;
    private final Screens screens;
    private final Screens screensWithActions;
    private final Actions actions;

    private Console(Leasehold leasehold) {
        Inspector inspector = leasehold.inspector();
        Diagnostics diagnostics = Diagnostics.of(leasehold);
        TimeSource time = TimeSource.system();
        locks = new LockObservation(inspector, time);
        waits = new Reading<>(
                "leasehold-console-waits",
                diagnostics::waitGraph,
                new WaitGraph(List.of(), List.of(), List.of()),
                RefreshPace::ofWaits,
                time);
        checks = new Reading<>(
                "leasehold-console-servers", diagnostics::findings, List.of(), took -> SERVER_CHECKS, time);
        screens = new Screens(locks, waits, checks, inspector.address(), false);
        screensWithActions = new Screens(locks, waits, checks, inspector.address(), true);
        actions = new Actions(leasehold);
    }

    /**
     * Creates a console. Nothing is sent.
     *
     * @param leasehold the client whose locks it shows; the caller closes it after the console
     * @return the console
     */
    public static Console over(Leasehold leasehold) {
        return new Console(leasehold);
    }

    /**
     * Returns the headers of every reply and every stream: the content security policy, and no caching.
     *
     * @return the headers by name
     */
    public static Map<String, String> headers() {
        return HEADERS;
    }

    /**
     * Returns a file of the page. The files are the same for everybody and contain no data.
     *
     * @param path the path below that of the console; empty for the page itself
     * @return the file, or empty if there is none
     */
    public Optional<ConsoleReply> file(String path) {
        return Page.file(path).map(file -> new ConsoleReply(OK, file.type(), file.text()));
    }

    /**
     * Opens the states of a screen.
     *
     * @param parameters {@code screen}: now, lock, waits, heat or servers; {@code search} for now; {@code name} for lock
     * @param session the user, to whom the page offers the actions if they are permitted
     * @return the stream, or empty if there is no such screen
     */
    public Optional<ConsoleStream> watch(Map<String, String> parameters, ConsoleSession session) {
        return (session.mayAct() ? screensWithActions : screens).of(parameters).map(ConsoleStream::new);
    }

    /**
     * Carries out an action, if the user may. It is logged with the user and the reason.
     *
     * @param action request-release or take-away
     * @param body a JSON object with the texts {@code name}, {@code typed} (the name again, as the user typed it), {@code reason}
     *     and, to take a lock away, {@code token} (the fencing token of the holder that the user saw, empty if it has none)
     * @param session the user
     * @return a JSON object with {@code outcome} and {@code problem}, or empty if there is no such action
     */
    public Optional<ConsoleReply> act(String action, String body, ConsoleSession session) {
        return switch (action) {
            case "request-release" -> Optional.of(reply(actions.requestRelease(body, session)));
            case "take-away" -> Optional.of(reply(actions.takeAway(body, session)));
            default -> Optional.empty();
        };
    }

    private static ConsoleReply reply(Actions.Result result) {
        int status = switch (result.outcome()) {
            case DONE, FREE -> OK;
            case NOT_OPEN -> FORBIDDEN;
            case MISTYPED -> BAD_REQUEST;
            case FAILED -> UNAVAILABLE;
        };
        String body = Json.object(json -> {
            json.writeStringField("outcome", result.outcome().name().toLowerCase(Locale.ROOT));
            json.writeStringField("problem", result.problem());
        });
        return ConsoleReply.json(status, body);
    }

    /** Stops reading Redis. The client stays open. */
    @Override
    public void close() {
        locks.close();
        waits.close();
        checks.close();
    }
}
