package dev.leasehold.console.internal.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The one-time token, and the one session and its path that it is exchanged for. Comparisons take the same time for any text. */
public final class Sessions {

    private static final int SECRET_BYTES = 32;

    private final String token;
    private final String session;
    private final String path;
    private final AtomicBoolean used = new AtomicBoolean();

    public Sessions() {
        SecureRandom random = new SecureRandom();
        token = secret(random);
        session = secret(random);
        path = '/' + secret(random) + '/';
    }

    private static String secret(SecureRandom random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the token for the printed URL. */
    public String token() {
        return token;
    }

    /**
     * Returns the path of everything that needs the session. A browser sends cookies to every port of a host, but only to the path that a
     * cookie names: no server of another user learns the session unless it knows this path.
     */
    public String path() {
        return path;
    }

    /** Returns the session for the token, the first time; then nothing ever again. */
    Optional<String> exchange(String given) {
        return same(token, given) && used.compareAndSet(false, true) ? Optional.of(session) : Optional.empty();
    }

    /** Returns whether it is the session, and the session has begun. */
    boolean isValid(String given) {
        return same(session, given) && used.get();
    }

    private static boolean same(String secret, String given) {
        return MessageDigest.isEqual(secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
