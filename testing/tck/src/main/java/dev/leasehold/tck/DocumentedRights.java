package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rights in section 2 of {@code docs/operations.md}, for a user that has these and no others. */
public final class DocumentedRights {

    private static final String USER = "app";
    private static final String PASSWORD = "secret";

    private DocumentedRights() {}

    /**
     * Returns the document.
     *
     * @return its text
     */
    public static String document() {
        try (InputStream text =
                Objects.requireNonNull(DocumentedRights.class.getResourceAsStream("operations.md"), "operations.md")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the rights that locks with hash keys need, and the right to list them.
     *
     * @return words of ACL SETUSER
     */
    public static List<String> ofLocks() {
        return of("app", "wake-ups", "list");
    }

    /** Returns the rights that the commands under these marks grant, for locks without prefix whatever their keys. */
    static List<String> ofAnyKey(String... marks) {
        List<String> rights = of(marks);
        // After the pattern of all keys Redis accepts no other.
        rights.removeIf(right -> right.endsWith(":{import:*}"));
        rights.replaceAll(right -> right.equals("~import:*") ? "~*" : right);
        return rights;
    }

    /**
     * Returns the rights that the commands under these marks grant.
     *
     * @param marks as in the document's comments
     * @return words of ACL SETUSER
     */
    public static List<String> of(String... marks) {
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

    /** Grants the user of a server that will be started these rights and no others. */
    static EmbeddedRedisBuilder grant(EmbeddedRedisBuilder settings, List<String> rights) {
        List<String> rules = new ArrayList<>(List.of("reset", ">" + PASSWORD));
        rules.addAll(rights);
        return settings.user(USER, rules.toArray(String[]::new));
    }

    /**
     * Grants the user these rights and no others.
     *
     * @param redis the server
     * @param rights words of ACL SETUSER
     */
    public static void grant(EmbeddedRedis redis, List<String> rights) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", ">" + PASSWORD));
        command.addAll(rights);
        redis.command(command.toArray(String[]::new));
        // Forces the clients to use EVAL, too.
        redis.command("SCRIPT", "FLUSH");
    }

    /**
     * Returns the URI of the same server, or proxy before it, for this user.
     *
     * @param uri without a user, with or without a password
     * @return with this user and its password, unless it has a user
     */
    public static String uri(String uri) {
        return uri.replaceFirst("://(:[^@]*@)?(?=[^@]*$)", "://" + USER + ":" + PASSWORD + "@");
    }
}
