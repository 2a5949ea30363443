package dev.leasehold.internal.script;

import dev.leasehold.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Composes scripts of the Lua resources. A line {@code -- include: a, b} is replaced by the files {@code part/a.lua} and
 * {@code part/b.lua}, each of which may include others; a part that is in the script already is left out. Then
 * {@link UsedCode} leaves out what the script does not use.
 */
public final class Scripts {

    private static final String INCLUDE = "-- include: ";

    private Scripts() {}

    /** Returns the script of this name, ready to be sent. */
    static Script load(String name) {
        List<String> lines = new ArrayList<>();
        append(name, lines, new HashSet<>());
        String body = new UsedCode(lines).text();
        return new Script(name, body, sha1(body));
    }

    private static void append(String file, List<String> lines, Set<String> included) {
        resource(file).lines().forEach(line -> {
            if (line.startsWith(INCLUDE)) {
                for (String part : line.substring(INCLUDE.length()).split(", ", -1)) {
                    if (included.add(part)) {
                        append("part/" + part, lines, included);
                    }
                }
            } else {
                lines.add(line);
            }
        });
    }

    private static String resource(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + ".lua is missing from the core's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
