package dev.leasehold.testkit.internal;

/**
 * A simple string as a reply: scripts receive it as a table with the field {@code ok}.
 *
 * @param text the string
 */
public record StatusReply(String text) {

    static final StatusReply OK = new StatusReply("OK");
}
