package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rights as they stand in section 2 of {@code docs/operations.md}, for a user who has these and no others. */
final class Rights {

    static final String USER = "app";
    static final String PASSWORD = "secret";

    private Rights() {}

    static String document() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve(".ci"))) {
            root = root.getParent();
        }
        try {
            return Files.readString(root.resolve("docs/operations.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What locks need that have hash keys. */
    static List<String> ofLocks() {
        return of("app", "wake-ups", "list");
    }

    /** What the commands grant that stand under these marks. */
    static List<String> of(String... marks) {
        List<String> rights = new ArrayList<>();
        for (String mark : marks) {
            Matcher command = Pattern.compile("<!-- acl: " + mark + " -->\n```text\nACL SETUSER app (.*)\n```")
                    .matcher(document());
            assertThat(command.find())
                    .as("the command '%s' in docs/operations.md", mark)
                    .isTrue();
            rights.addAll(List.of(command.group(1).split(" ")));
        }
        return rights;
    }

    static void grant(EmbeddedRedis redis, List<String> rights) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", ">" + PASSWORD));
        command.addAll(rights);
        redis.command(command.toArray(String[]::new));
        // So that EVAL is needed, too.
        redis.command("SCRIPT", "FLUSH");
    }

    /** The same server, or proxy before it, for this user. */
    static String uri(String uri) {
        return uri.contains("@") ? uri : uri.replace("://", "://" + USER + ":" + PASSWORD + "@");
    }
}
