package dev.leasehold.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The credentials in a URI, which precede the host. */
record Login(@Nullable String user, @Nullable String password) {

    /** Splits user and password before decoding them, because either may contain an encoded colon. */
    static Login of(@Nullable String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return new Login(null, null);
        }
        int colon = userInfo.indexOf(':');
        String password = decode(userInfo.substring(colon + 1));
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the URI of Redis names a user without a password");
        }
        return new Login(colon <= 0 ? null : decode(userInfo.substring(0, colon)), password);
    }

    /** In a URI, unlike in a form, a plus is a plus. */
    static String decode(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "Login";
    }
}
