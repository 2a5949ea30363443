package dev.leasehold.testkit.internal;

/**
 * An error as a reply, without the leading minus.
 *
 * @param message the code, a blank, and the text
 */
public record ErrorReply(String message) {

    static final ErrorReply WRONG_TYPE =
            new ErrorReply("WRONGTYPE Operation against a key holding the wrong kind of value");
    static final ErrorReply NOT_AN_INTEGER = new ErrorReply("ERR value is not an integer or out of range");
    static final ErrorReply SYNTAX = new ErrorReply("ERR syntax error");
}
