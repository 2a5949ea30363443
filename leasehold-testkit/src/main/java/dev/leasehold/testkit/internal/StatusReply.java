package dev.leasehold.testkit.internal;

/**
 * A simple string as a reply: scripts see it as a table with the field {@code ok}.
 *
 * @param text what it says
 */
public record StatusReply(String text) {

    static final StatusReply OK = new StatusReply("OK");
}
