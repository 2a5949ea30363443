package dev.leasehold.testkit;

import dev.leasehold.testkit.internal.PrivateDirectory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the redis-server to run: the one that the setting names, else the one in the jar, extracted once for all
 * JVMs.
 */
final class RedisBinary {

    /** The name of the environment variable, and of the system property that overrides it. */
    static final String SETTING = "LEASEHOLD_REDIS_SERVER";

    private static final String VERSION = "7.0.15";
    private static final String ON_CLASS_PATH = "classpath:";
    private static final Pattern MAJOR = Pattern.compile("^Redis server v=(\\d+)\\.");
    private static final int FIRST_THAT_FORBIDS_DEBUG = 7;

    /** The programs that forbid DEBUG (true) or always allow it (false), as far as known. */
    private static final ConcurrentMap<Path, Boolean> FORBIDS_DEBUG = new ConcurrentHashMap<>();

    private RedisBinary() {}

    static Path locate() {
        String named = System.getProperty(SETTING, System.getenv(SETTING));
        if (named != null && !named.isBlank()) {
            return named(named.strip());
        }
        return packed("redis-server-" + VERSION + "-" + platform());
    }

    private static Path packed(String resource) {
        try {
            return extract(resource, PrivateDirectory.get());
        } catch (IOException | UncheckedIOException e) {
            throw new EmbeddedRedisException(
                    "The " + resource + " on the class path could not be extracted to java.io.tmpdir: " + e
                            + ". Free some space there, or let " + SETTING + " name an installed redis-server.",
                    e);
        }
    }

    /**
     * Finds a server by a path, the name of a command on the PATH, or {@code classpath:} and a resource of another
     * jar.
     */
    static Path named(String server) {
        if (server.startsWith(ON_CLASS_PATH)) {
            return packed(server.substring(ON_CLASS_PATH.length()));
        }
        if (server.contains("/")) {
            return executable(Path.of(server), server);
        }
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "" : path).split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, server);
            if (Files.isExecutable(candidate)) {
                return candidate.toAbsolutePath();
            }
        }
        throw notExecutable(server);
    }

    /** Returns this path if it is executable. */
    static Path executable(Path path, String asGiven) {
        if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
            throw notExecutable(asGiven);
        }
        return path.toAbsolutePath();
    }

    private static EmbeddedRedisException notExecutable(String server) {
        return new EmbeddedRedisException("\"" + server
                + "\" was to be run, which is not an executable file. Give the path of a redis-server or valkey-server, or unset "
                + SETTING + " if it was that which named it.");
    }

    /** Returns whether DEBUG has to be allowed. Redis before 7 does not know the directive, and always allows DEBUG. */
    static boolean forbidsDebug(Path server) {
        return FORBIDS_DEBUG.computeIfAbsent(server, RedisBinary::askForVersion);
    }

    private static boolean askForVersion(Path server) {
        try {
            Process process = new ProcessBuilder(server.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader answer = process.inputReader(StandardCharsets.UTF_8)) {
                String line = answer.readLine();
                Matcher redis = MAJOR.matcher(line == null ? "" : line);
                return !redis.find() || Integer.parseInt(redis.group(1)) >= FIRST_THAT_FORBIDS_DEBUG;
            }
        } catch (IOException e) {
            throw new EmbeddedRedisException(server + " could not be asked for its version: " + e, e);
        }
    }

    /** Returns the suffix of the jar's files for this machine, such as linux-amd64. */
    static String platform() {
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String os = system.contains("linux") ? "linux" : system.contains("mac") ? "darwin" : null;
        String arch = switch (machine) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i486", "i586", "i686" -> "linux".equals(os) ? "386" : null;
            default -> null;
        };
        if (os == null || arch == null) {
            throw new EmbeddedRedisException("No redis-server is shipped for " + system + " on " + machine
                    + ". Install one and let " + SETTING + " name it.");
        }
        return os + "-" + arch;
    }

    /**
     * Extracts a resource. It is written beside its final name and moved in one step, so that no JVM ever sees, or
     * runs, a partial file.
     */
    static Path extract(String resource, Path directory) throws IOException {
        Path target = directory.resolve(resource);
        URLConnection packed = open(resource);
        long size = packed.getContentLengthLong();
        if (Files.isExecutable(target) && Files.size(target) == size) {
            return target;
        }
        try (InputStream content = packed.getInputStream()) {
            Path part = Files.createTempFile(directory, resource, ".part");
            try {
                Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(part, PrivateDirectory.PERMISSIONS);
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        return target;
    }

    private static URLConnection open(String resource) throws IOException {
        URL url = RedisBinary.class.getClassLoader().getResource(resource);
        if (url == null) {
            throw new EmbeddedRedisException("The class path has no " + resource
                    + ". Add the jar that has it (org.signal:embedded-redis, if you named none), or let " + SETTING
                    + " name an installed redis-server.");
        }
        return url.openConnection();
    }
}
