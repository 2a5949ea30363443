/**
 * A page in the browser that shows held locks, their queues, hand-offs and the servers.
 *
 * <ul>
 *   <li>{@link dev.leasehold.console.Console} is the application: the observation, its JSON, the page and the actions. It
 *       knows no HTTP server, so that any may serve it.
 *   <li>{@link dev.leasehold.console.ConsoleDispatcher} answers requests of HTTP, whichever server receives them: it checks
 *       their origin and size.
 *   <li>{@link dev.leasehold.console.ConsoleServer} serves it on loopback by the JDK's {@code com.sun.net.httpserver}, for
 *       the browser that knows the one-time token.
 *   <li>{@code internal.observe}: one poller over {@code Leasehold.inspector()} for all browsers, which stops when nobody
 *       watches; the last 50 tenures of each lock; hand-offs and the share of time held for each name.
 *   <li>{@code internal.view}: the JSON of each screen, in which every text from Redis is escaped.
 *   <li>{@code internal.act}: release requests and forced releases, each with a reason that is logged.
 *   <li>{@code internal.http}: the checks of Host, Origin and session, and the adapter to the JDK's server.
 *   <li>The resources in {@code page}: HTML, CSS and JavaScript modules, served as they are.
 * </ul>
 */
@NullMarked
package dev.leasehold.console;

import org.jspecify.annotations.NullMarked;
