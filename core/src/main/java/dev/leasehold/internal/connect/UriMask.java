package dev.leasehold.internal.connect;

import dev.leasehold.internal.key.Names;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Masks the secrets in a URI for messages, even if the URI is malformed. */
final class UriMask {

    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://");

    private UriMask() {}

    /** Treats everything before the last @, except the scheme, and everything after a question mark as secret. */
    static String of(String uri) {
        Matcher matcher = SCHEME.matcher(uri);
        String scheme = matcher.find() ? matcher.group() : "";
        String rest = uri.substring(scheme.length());
        int at = rest.lastIndexOf('@');
        int parameter = rest.toLowerCase(Locale.ROOT).indexOf("password=");
        if (parameter >= 0 && at > parameter) {
            // The part behind the @ may be the rest of this password instead of a host.
            return Names.escape(scheme + "***");
        }
        String shown = at < 0 ? rest : "***" + rest.substring(at);
        int query = shown.indexOf('?');
        return Names.escape(scheme + (query < 0 ? shown : shown.substring(0, query) + "?***"));
    }

    /**
     * Returns whether a character of the password was parsed as the end of the authority, so that a part of it looks
     * like the host.
     */
    static boolean hasSplitUserInfo(URI uri) {
        return hasAt(uri.getRawPath()) || hasAt(uri.getRawQuery()) || hasAt(uri.getRawFragment());
    }

    private static boolean hasAt(@Nullable String part) {
        return part != null && part.indexOf('@') >= 0;
    }
}
