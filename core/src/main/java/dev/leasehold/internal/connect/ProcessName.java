package dev.leasehold.internal.connect;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this process for {@code inspect}: {@code pid@host}. */
public final class ProcessName {

    private static final String NAME = ProcessHandle.current().pid() + "@" + host();

    private ProcessName() {}

    public static String get() {
        return NAME;
    }

    private static String host() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // Locks must work even on a machine without a host name.
            return "localhost";
        }
    }
}
