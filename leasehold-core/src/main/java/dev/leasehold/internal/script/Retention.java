package dev.leasehold.internal.script;

import java.time.Duration;

/** How long a key outlives its last use. */
public record Retention(Duration time) {

    String arg() {
        return Long.toString(time.toMillis());
    }
}
