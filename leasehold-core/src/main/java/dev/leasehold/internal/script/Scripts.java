package dev.leasehold.internal.script;

import dev.leasehold.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * Composes scripts of the Lua resources. A line {@code -- include: a, b} is replaced by the files {@code part/a.lua} and
 * {@code part/b.lua}, each of which may include others; a part that is in the script already is left out. So a script
 * contains the parts that it uses, and no other.
 */
public final class Scripts {

    private static final String INCLUDE = "-- include: ";

    private Scripts() {}

    /** Returns the script of this name, ready to be sent. */
    static Script load(String name) {
        StringBuilder body = new StringBuilder();
        append(name, body, new HashSet<>());
        return new Script(name, body.toString(), sha1(body.toString()));
    }

    private static void append(String file, StringBuilder body, Set<String> included) {
        resource(file).lines().forEach(line -> {
            if (line.startsWith(INCLUDE)) {
                for (String part : line.substring(INCLUDE.length()).split(", ", -1)) {
                    if (included.add(part)) {
                        append("part/" + part, body, included);
                    }
                }
            } else {
                body.append(line).append('\n');
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
