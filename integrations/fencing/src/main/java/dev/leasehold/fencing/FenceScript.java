package dev.leasehold.fencing;

import dev.leasehold.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Loads {@code fence.lua}, and parses its replies. */
final class FenceScript {

    static final Script SCRIPT = load();

    private FenceScript() {}

    private static Script load() {
        try (InputStream in = FenceScript.class.getResourceAsStream("fence.lua")) {
            if (in == null) {
                throw new IllegalStateException("the resource fence.lua is missing from the jar");
            }
            byte[] body = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(body);
            return new Script(
                    "fence",
                    new String(body, StandardCharsets.UTF_8),
                    HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** Returns the reply of the command, or throws the refusal. */
    static List<@Nullable String> read(String resource, long token, List<String> reply) {
        if (reply.get(0).equals("stale")) {
            throw new StaleTokenException(resource, token, Long.parseLong(reply.get(1)));
        }
        if (!reply.get(0).equals("admitted")) {
            throw new IllegalStateException("fence.lua returned " + Inputs.escape(reply.toString()));
        }
        List<@Nullable String> answer = new ArrayList<>();
        for (String element : reply.subList(1, reply.size())) {
            answer.add(element.equals("-") ? null : element.substring(1));
        }
        return answer;
    }
}
