package dev.leasehold.internal.script;

import dev.leasehold.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** Loads the Lua resources, which are sent as they are, comments and all. */
public final class Scripts {

    private Scripts() {}

    /** The script of the last of these files, which stand in it one after the other, ready to be sent. */
    static Script load(String... files) {
        String body = Arrays.stream(files).map(Scripts::resource).collect(Collectors.joining("\n"));
        return new Script(files[files.length - 1], body, sha1(body));
    }

    /**
     * A script that uses another: after the prelude that stands in it as a function, which takes the arguments and returns
     * what would be answered; then come these files.
     */
    static Script loadOver(String function, String... files) {
        String body = resource("prelude") + "\nlocal function " + function + "(ARGV)\n" + resource(function) + "end\n\n"
                + Arrays.stream(files).map(Scripts::resource).collect(Collectors.joining("\n"));
        return new Script(files[files.length - 1], body, sha1(body));
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
