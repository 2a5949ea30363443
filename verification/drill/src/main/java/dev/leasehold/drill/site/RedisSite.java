package dev.leasehold.drill.site;

import dev.leasehold.drill.watch.Waits;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisException;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A primary with two replicas, watched by three Sentinels, and a user that has the documented rights of locks with wake-ups and news of
 * changed locks, and no others.
 */
public final class RedisSite implements AutoCloseable {

    /** The user as which the instances connect. */
    public static final String USER = "app";

    /** Below the timeout of clients a busy machine would look like a dead primary. */
    private static final Duration DOWN_AFTER = Duration.ofSeconds(6);

    private final EmbeddedSentinel group;
    private final Path passwordFile;
    private int passwords = 1;

    private RedisSite(EmbeddedSentinel group, Path passwordFile) {
        this.group = group;
        this.passwordFile = passwordFile;
    }

    /**
     * Starts all servers.
     *
     * @param passwordFile where the instances read the password
     * @return the servers, ready
     * @throws IOException if the file cannot be written
     */
    public static RedisSite start(Path passwordFile) throws IOException {
        Files.writeString(passwordFile, password(1));
        List<String> rules = new ArrayList<>(List.of("reset", ">" + password(1)));
        rules.addAll(DocumentedRights.of("app", "wake-ups", "tracking"));
        // Spring Boot's own health indicator needs only INFO, which is among the rights.
        EmbeddedSentinel group = EmbeddedSentinel.builder()
                .downAfter(DOWN_AFTER)
                .settings(EmbeddedRedis.builder()
                        .config("appendonly", "yes")
                        .enableDebugCommand()
                        .user(USER, rules.toArray(String[]::new)))
                .start();
        return new RedisSite(group, passwordFile);
    }

    private static String password(int number) {
        return "password-" + number;
    }

    /** Returns the addresses of the Sentinels, as Spring Boot takes them. */
    String sentinels() {
        return group.sentinels().stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(Collectors.joining(","));
    }

    /** Returns the name under which the Sentinels know the primary. */
    String primaryName() {
        return group.primaryName();
    }

    /** Returns where the instances read the password. */
    Path passwordFile() {
        return passwordFile;
    }

    /**
     * Returns the present primary.
     *
     * @return as most Sentinels name it
     */
    public EmbeddedRedis primary() {
        return group.primary();
    }

    /**
     * Returns the group, for faults.
     *
     * @return all processes
     */
    public EmbeddedSentinel group() {
        return group;
    }

    /**
     * Sends a command to each running server.
     *
     * @param command with its arguments
     */
    public void onAll(String... command) {
        running().forEach(node -> node.command(command));
    }

    private Stream<EmbeddedRedis> running() {
        return group.nodes().stream().filter(EmbeddedRedis::isRunning);
    }

    /**
     * Makes the servers accept another password beside the present one, lets the instances read it, and removes the former: the order
     * that {@code docs/credentials.md} gives.
     *
     * @throws IOException if the file cannot be written
     */
    public void rotatePassword() throws IOException {
        String former = password(passwords++);
        onAll("ACL", "SETUSER", USER, ">" + password(passwords));
        Files.writeString(passwordFile, password(passwords));
        onAll("ACL", "SETUSER", USER, "<" + former);
    }

    /** Waits until all servers run, one is the primary, and the others have its data. */
    public void awaitHealthy() {
        Waits.until("all servers have their roles", () -> {
            try {
                group.awaitHealthy();
                return true;
            } catch (EmbeddedRedisException e) {
                return false;
            }
        });
    }

    /** Begins to count denials. */
    public void forgetDenials() {
        onAll("ACL", "LOG", "RESET");
    }

    /**
     * Returns what the servers denied the user since {@link #forgetDenials}.
     *
     * @return the words of ACL LOG
     */
    public List<String> denials() {
        return running()
                .flatMap(node ->
                        node.command("ACL", "LOG") instanceof List<?> entries ? entries.stream() : Stream.empty())
                .map(RedisSite::denial)
                .filter(denial -> denial.contains(USER))
                .distinct()
                .toList();
    }

    /** An entry is a list of names and values; those below say what was denied, in which context, and to whom. */
    private static String denial(Object entry) {
        List<?> fields = (List<?>) entry;
        List<String> words = new ArrayList<>();
        for (int n = 0; n + 1 < fields.size(); n += 2) {
            if (List.of("reason", "context", "object", "username").contains(String.valueOf(fields.get(n)))) {
                words.add(String.valueOf(fields.get(n + 1)));
            }
        }
        return String.join(" ", words);
    }

    /**
     * Returns how many connections the user has at the primary, and how many channels these subscribe to.
     *
     * @return in words
     */
    public String connections() {
        List<String> own = Arrays.stream(
                        String.valueOf(primary().command("CLIENT", "LIST")).split("\n", -1))
                .filter(line -> line.contains(" user=" + USER + " "))
                .toList();
        long subscriptions = own.stream()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .filter(word -> word.startsWith("sub=") || word.startsWith("ssub="))
                .mapToLong(word -> Long.parseLong(word.substring(word.indexOf('=') + 1)))
                .sum();
        return own.size() + " connections, " + subscriptions + " subscriptions";
    }

    /**
     * Returns the keys at the primary that never expire. Each key of a lock has an expiry.
     *
     * @return their names
     */
    public List<String> keysWithoutExpiry() {
        return keys(millis -> millis == -1);
    }

    /**
     * Returns all keys at the primary.
     *
     * @return their names
     */
    public List<String> keys() {
        return keys(millis -> true);
    }

    private List<String> keys(Predicate<Long> timeToLive) {
        EmbeddedRedis primary = primary();
        return primary.command("KEYS", "*") instanceof List<?> all
                ? all.stream()
                        .map(String::valueOf)
                        .filter(key -> primary.command("PTTL", key) instanceof Long millis && timeToLive.test(millis))
                        .sorted()
                        .toList()
                : List.of();
    }

    @Override
    public void close() {
        group.close();
    }
}
