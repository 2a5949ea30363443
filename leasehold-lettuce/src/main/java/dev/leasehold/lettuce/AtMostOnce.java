package dev.leasehold.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;

/** The options under which Lettuce sends no command twice and keeps none for a later connection. */
final class AtMostOnce {

    private AtMostOnce() {}

    static ClientOptions.Builder set(ClientOptions.Builder options) {
        options.autoReconnect(false).disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS);
        try {
            // These would carry commands over to another connection.
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (LinkageError e) {
            // Lettuce before 7 knows none.
            return options;
        }
        return options;
    }
}
