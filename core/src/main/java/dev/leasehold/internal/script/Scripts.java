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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Composes scripts of the Lua resources. A line {@code -- include: a, b} is replaced by the files {@code part/a.lua} and
 * {@code part/b.lua}, each of which may include others; a part that is in the script already is left out. A line
 * {@code -- include script: a} is replaced by the whole script {@code a.lua}, as the body of a function. What replaces a line has
 * its indentation. Then {@link UsedCode} leaves out what the script does not use.
 */
public final class Scripts {

    private static final Pattern INCLUDE = Pattern.compile("( *)-- include( script)?: (.*)");

    private Scripts() {}

    /** Returns the script of this name, ready to be sent. */
    static Script load(String name) {
        List<String> lines = new ArrayList<>();
        append(name, "", lines, new HashSet<>());
        return of(name, new UsedCode(lines).text());
    }

    /** Returns the script of this name, after which Redis is to track its keys. */
    static Script loadTracked(String name) {
        Script script = load(name);
        return new Script(name, script.body(), script.sha1(), true);
    }

    /** Returns a script of this source, which is sent as it is. */
    public static Script of(String name, String body) {
        return new Script(name, body, sha1(body));
    }

    private static void append(String file, String indentation, List<String> lines, Set<String> included) {
        resource(file).lines().forEach(line -> {
            Matcher include = INCLUDE.matcher(line);
            if (!include.matches()) {
                lines.add(indentation + line);
                return;
            }
            String directory = include.group(2) == null ? "part/" : "";
            for (String part : include.group(3).split(", ", -1)) {
                if (included.add(directory + part)) {
                    append(directory + part, indentation + include.group(1), lines, included);
                }
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
