package dev.leasehold.internal.client;

import dev.leasehold.internal.key.Names;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A URI for a message, without its secrets, however wrong it is. */
final class UriMask {

    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://");

    private UriMask() {}

    /** What stands before the last @ is taken for a secret, but for a scheme; so is what follows a question mark. */
    static String of(String uri) {
        Matcher matcher = SCHEME.matcher(uri);
        String scheme = matcher.find() ? matcher.group() : "";
        String rest = uri.substring(scheme.length());
        int at = rest.lastIndexOf('@');
        int parameter = rest.toLowerCase(Locale.ROOT).indexOf("password=");
        if (parameter >= 0 && at > parameter) {
            // What stands behind the @ may be the rest of this password as well as a host.
            return Names.escape(scheme + "***");
        }
        String shown = at < 0 ? rest : "***" + rest.substring(at);
        int query = shown.indexOf('?');
        return Names.escape(scheme + (query < 0 ? shown : shown.substring(0, query) + "?***"));
    }

    /** Whether a sign in the password was taken for the end of the authority, so that part of it seems to be the host. */
    static boolean hasTornUserInfo(URI uri) {
        return hasAt(uri.getRawPath()) || hasAt(uri.getRawQuery()) || hasAt(uri.getRawFragment());
    }

    private static boolean hasAt(@Nullable String part) {
        return part != null && part.indexOf('@') >= 0;
    }
}
