package dev.leasehold.console;

/**
 * What the console answers to a request.
 *
 * @param status the status of HTTP
 * @param contentType the type of the body, with its charset
 * @param body the body, to be sent as UTF-8
 */
public record ConsoleReply(int status, String contentType, String body) implements ConsoleAnswer {

    static ConsoleReply text(int status, String text) {
        return new ConsoleReply(status, "text/plain; charset=utf-8", text);
    }

    static ConsoleReply json(int status, String json) {
        return new ConsoleReply(status, "application/json", json);
    }
}
