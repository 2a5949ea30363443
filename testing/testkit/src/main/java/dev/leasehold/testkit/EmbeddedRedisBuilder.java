package dev.leasehold.testkit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of an {@link EmbeddedRedis}. Defaults: a free port, a random password, no TLS, nothing saved to disk,
 * data in a temporary directory that is deleted with the server. Not thread-safe; can start any number of servers,
 * which share the password.
 */
public final class EmbeddedRedisBuilder {

    /** The directives that the testkit sets itself, because it depends on their values. */
    private static final Set<String> RESERVED = Set.of(
            "port",
            "tls-port",
            "bind",
            "dir",
            "logfile",
            "daemonize",
            "supervised",
            "aclfile",
            "requirepass",
            "user",
            "unixsocket");

    private final List<String> lines = new ArrayList<>();
    private int port;
    private @Nullable String password = Secrets.password();
    private @Nullable Path directory;
    private @Nullable TlsCertificates tls;
    private TlsCertificates.@Nullable Identity tlsIdentity;
    private @Nullable ClusterMembership cluster;
    private @Nullable SentinelGroup group;
    private boolean sentinel;
    private boolean unixSocket;
    private boolean debugCommand;
    private @Nullable Path executable;
    private final Map<String, String> environment = new LinkedHashMap<>();

    EmbeddedRedisBuilder() {}

    /** Returns the same settings for a node of a cluster; the original remains unchanged. */
    EmbeddedRedisBuilder inCluster(ClusterMembership membership) {
        EmbeddedRedisBuilder node = copy();
        node.cluster = membership;
        return node;
    }

    /** Returns the same settings for a server that sentinels monitor; the original remains unchanged. */
    EmbeddedRedisBuilder under(SentinelGroup sentinels) {
        EmbeddedRedisBuilder node = copy();
        node.group = sentinels;
        return node;
    }

    /**
     * Returns the settings of a sentinel for servers with these settings. It has no data. It uses TLS if they do,
     * and runs the same program.
     */
    EmbeddedRedisBuilder asSentinelOf(SentinelGroup sentinels, EmbeddedRedisBuilder servers) {
        this.group = sentinels;
        this.sentinel = true;
        this.password = sentinels.sentinelPassword();
        this.tls = servers.tls;
        this.tlsIdentity = servers.tlsIdentity;
        this.executable = servers.executable;
        this.environment.putAll(servers.environment);
        return this;
    }

    private EmbeddedRedisBuilder copy() {
        EmbeddedRedisBuilder node = new EmbeddedRedisBuilder();
        node.lines.addAll(lines);
        node.port = port;
        node.password = password;
        node.directory = directory;
        node.tls = tls;
        node.tlsIdentity = tlsIdentity;
        node.unixSocket = unixSocket;
        node.debugCommand = debugCommand;
        node.executable = executable;
        node.environment.putAll(environment);
        return node;
    }

    /**
     * Adds one directive of redis.conf, such as {@code config("maxmemory", "3mb")} or
     * {@code config("save", "60", "1")}. Repeatable; the order is kept.
     *
     * @throws IllegalArgumentException if the testkit sets the directive itself (ports, directories, password,
     *     users), or its name has other characters than letters, digits and hyphens
     */
    public EmbeddedRedisBuilder config(String directive, String... values) {
        String name = directive.toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z0-9-]+")) {
            throw new IllegalArgumentException("Not a directive of redis.conf: \"" + directive + "\"");
        }
        if (RESERVED.contains(name)) {
            throw new IllegalArgumentException("\"" + directive + "\" is set by the testkit itself; use the builder's"
                    + " own method (port, password, user, directory, tls) for it.");
        }
        lines.add(directive(name, values));
        return this;
    }

    /**
     * Sets the password of the default user. Default: a random one, because every program of this machine reaches the
     * port. {@link EmbeddedRedis#uri()} contains the password, and {@link EmbeddedRedis#password()} returns it.
     */
    public EmbeddedRedisBuilder password(String value) {
        this.password = value;
        return this;
    }

    /** Accepts clients without a password, which lets every program of this machine in. */
    public EmbeddedRedisBuilder withoutPassword() {
        this.password = null;
        return this;
    }

    /**
     * Adds an ACL user with its rules, for example {@code user("app", "on", ">secret", "~lh:*", "+@all")}. The
     * testkit logs in as its own user, which no rule affects.
     */
    public EmbeddedRedisBuilder user(String name, String... rules) {
        String[] values = new String[rules.length + 1];
        values[0] = name;
        System.arraycopy(rules, 0, values, 1, rules.length);
        lines.add(directive("user", values));
        return this;
    }

    /** Listens with TLS only, with the certificate for the loopback host. Clients need no certificate. */
    public EmbeddedRedisBuilder tls(TlsCertificates certificates) {
        return tls(certificates, certificates.server());
    }

    /** Listens with TLS only, with this certificate, which may be one that a careful client rejects. */
    public EmbeddedRedisBuilder tls(TlsCertificates certificates, TlsCertificates.Identity identity) {
        this.tls = certificates;
        this.tlsIdentity = identity;
        return this;
    }

    /** Requires clients to present a certificate signed by the same authority; only together with {@link #tls}. */
    public EmbeddedRedisBuilder requireClientCertificate() {
        lines.add("tls-auth-clients yes");
        return this;
    }

    /** Writes every change to an append-only file, synchronously, so that a {@code kill()} loses nothing. */
    public EmbeddedRedisBuilder appendOnly() {
        return config("appendonly", "yes").config("appendfsync", "always");
    }

    /** Allows DEBUG, which Redis 7 and Valkey forbid by default and older servers always allow. */
    public EmbeddedRedisBuilder enableDebugCommand() {
        this.debugCommand = true;
        return this;
    }

    /** Also listens on a Unix socket; {@link EmbeddedRedis#socketUri()} returns its URI. Only this user has access. */
    public EmbeddedRedisBuilder unixSocket() {
        this.unixSocket = true;
        return this;
    }

    /**
     * Runs this redis-server or valkey-server instead of the one in the jar or the one that
     * {@code LEASEHOLD_REDIS_SERVER} names. For tests that need two kinds of servers, or a dynamically linked one.
     */
    public EmbeddedRedisBuilder executable(Path value) {
        this.executable = value.toAbsolutePath();
        return this;
    }

    /**
     * Adds a variable to the environment of the server, such as {@code LD_PRELOAD}, which a statically linked
     * server ignores. Repeatable.
     *
     * @throws IllegalArgumentException if a shell would not accept the name
     */
    public EmbeddedRedisBuilder environment(String name, String value) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException("Not the name of an environment variable: \"" + name + "\"");
        }
        environment.put(name, value);
        return this;
    }

    /** Keeps the data in this existing directory, which is never deleted. Default: a temporary directory. */
    public EmbeddedRedisBuilder directory(Path value) {
        this.directory = value.toAbsolutePath();
        return this;
    }

    /**
     * Listens on this port, or fails to start if it is in use. Default, and with 0: a free port.
     *
     * @throws IllegalArgumentException if the port is not within 0 to 65535
     */
    public EmbeddedRedisBuilder port(int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException("A port lies within 0 to 65535, not " + value);
        }
        this.port = value;
        return this;
    }

    /**
     * Starts the server and waits until it answers.
     *
     * @throws EmbeddedRedisException if it does not start; the message contains its log
     */
    public EmbeddedRedis start() {
        return EmbeddedRedis.start(this);
    }

    int port() {
        return port;
    }

    @Nullable
    String password() {
        return password;
    }

    @Nullable
    Path directory() {
        return directory;
    }

    boolean isTls() {
        return tls != null;
    }

    @Nullable
    ClusterMembership cluster() {
        return cluster;
    }

    @Nullable
    Path executable() {
        return executable;
    }

    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    boolean hasUnixSocket() {
        return unixSocket;
    }

    /**
     * Returns the directive that allows DEBUG on this server if it was requested; empty if the server always allows
     * it.
     */
    String allowingDebug(Path server) {
        return debugCommand && RedisBinary.forbidsDebug(server)
                ? directive("enable-debug-command", "local") + "\n"
                : "";
    }

    /** Returns the path of the socket of a server that writes this log. */
    static Path socketBeside(Path log) {
        return log.resolveSibling("redis.sock");
    }

    boolean isSentinel() {
        return sentinel;
    }

    /** Returns the password of the testkit's own user: the same on all servers that have to log in to one another. */
    String adminPassword() {
        return cluster != null ? cluster.adminPassword() : group != null ? group.adminPassword() : Secrets.password();
    }

    /** Returns the text of redis.conf. With TLS there is also a plain port for the testkit's own use. */
    String render(int clientPort, int adminPort, Path dataDirectory, Path log, String adminPassword) {
        List<String> config = new ArrayList<>(List.of(
                "bind 127.0.0.1",
                "daemonize no",
                "save \"\"",
                directive("port", String.valueOf(adminPort)),
                directive("dir", dataDirectory.toString()),
                directive("logfile", log.toString()),
                directive("user", EmbeddedRedis.ADMIN, "on", ">" + adminPassword, "~*", "&*", "+@all")));
        if (password != null) {
            config.add(directive("requirepass", password));
        }
        if (tls != null && tlsIdentity != null) {
            config.add(directive("tls-port", String.valueOf(clientPort)));
            config.add(directive("tls-cert-file", tlsIdentity.certificatePem().toString()));
            config.add(directive("tls-key-file", tlsIdentity.keyPem().toString()));
            config.add(directive("tls-ca-cert-file", tls.caPem().toString()));
            config.add("tls-auth-clients no");
        }
        if (cluster != null) {
            config.addAll(cluster.directives(isTls()));
        }
        if (group != null && !sentinel) {
            config.addAll(group.directives());
        }
        if (group != null && isTls()) {
            config.add("tls-replication yes");
        }
        if (unixSocket) {
            config.add(directive("unixsocket", socketBeside(log).toString()));
            config.add("unixsocketperm 700");
        }
        config.addAll(lines);
        return String.join("\n", config) + "\n";
    }

    static String directive(String name, String... values) {
        StringBuilder line = new StringBuilder(name);
        for (String value : values) {
            line.append(' ').append(quote(value));
        }
        return line.toString();
    }

    /**
     * Quotes a value. Every byte that could end a word or a line becomes {@code \xHH}, which redis.conf supports
     * within quotes.
     */
    private static String quote(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ' || b == '"' || b == '\\' || b == 127) {
                quoted.append(String.format(Locale.ROOT, "\\x%02x", b & 0xff));
            } else {
                quoted.append((char) b);
            }
        }
        return quoted.append('"').toString();
    }
}
