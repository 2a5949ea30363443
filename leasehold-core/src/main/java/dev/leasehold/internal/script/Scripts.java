package dev.leasehold.internal.script;

import dev.leasehold.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Loads the Lua resources. Each is sent with the prelude before it, comments and all. */
public final class Scripts {

    private static final String PRELUDE = resource("prelude");

    private Scripts() {}

    /** The script of this resource file, ready to be sent. */
    public static Script load(String name) {
        return script(name, PRELUDE + "\n" + resource(name));
    }

    /** The same with another file between the prelude and it, which several scripts share. */
    static Script load(String shared, String name) {
        return script(name, PRELUDE + "\n" + resource(shared) + "\n" + resource(name));
    }

    private static Script script(String name, String body) {
        return new Script(name, body, sha1(body));
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
