package dev.leasehold.spi;

import dev.leasehold.internal.key.Names;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redis answered with an error. Adapters turn their client's exception for an error reply into this one. Its message is the
 * reply, cut, with control characters escaped, and without whole ids of holds and the full stop at its end; of an error inside a script the one that later
 * servers send, without the frame that Redis 6.2 puts around it; and of a command that the server does not know without its
 * arguments, which may be a password.
 */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The frame of Redis 6.2: an ERR that quotes the reply, with or without its minus. */
    private static final Pattern INSIDE_SCRIPT =
            Pattern.compile("^ERR Error running script .*@user_script: ?\\d+: -?(?=[A-Z]+ )");

    /** A server, or a proxy, quotes the command in its own way; what follows may be arguments. */
    private static final Pattern UNKNOWN_COMMAND =
            Pattern.compile("^ERR unknown command[ :]*(['`\"]?[A-Z][A-Z._|-]*['`\"]?)?", Pattern.CASE_INSENSITIVE);

    /** What servers answer to a login, as far as it repeats nothing but the name of a command. */
    private static final Pattern OF_LOGIN =
            Pattern.compile("^(?:WRONGPASS invalid username-password pair(?: or user is disabled)?"
                    + "|NOAUTH (?:Authentication required|HELLO must be called with the client already authenticated)"
                    + "|NOPERM this user has no permissions to run the '(?:auth|hello|select|client[a-z|]*)' command"
                    + "|NOPROTO unsupported protocol version"
                    + "|LOADING Redis is loading the dataset in memory"
                    + "|DENIED Redis is running in protected mode"
                    + "|ERR (?:AUTH <password> called without any password configured for the default user"
                    + "|Client sent AUTH, but no password is set|invalid password"
                    + "|max number of clients reached|DB index is out of range|invalid DB index"
                    + "|SELECT is not allowed in cluster mode|Client names cannot contain spaces"
                    + "|wrong number of arguments for '(?:auth|hello|select|client[a-z|]*)' command"
                    + "|unknown command ['`](?i:auth|hello|select|client)['`]))");

    private static final Pattern NAMED_USER = Pattern.compile("^NOPERM User [^ ]+ has");

    /** What looks like an id of an acquisition. The name of a user may, too, and is needed to grant a right. */
    private static final Pattern ID = Pattern.compile("(?<![\\w-])(?<!^NOPERM User )[\\w-]{22}(?![\\w-])");

    /** What names a host. */
    private static final Pattern REDIRECTION = Pattern.compile("^(?:MOVED|ASK) ");

    private static final Set<String> CREDENTIALS = Set.of("WRONGPASS", "NOAUTH");
    private static final int SHOWN_OF_ID = 8;
    private static final Pattern CODE = Pattern.compile(
            "^(?:ERR|WRONGPASS|NOAUTH|NOPERM|NOPROTO|LOADING|DENIED|MASTERDOWN|BUSY|MISCONF|CLUSTERDOWN|READONLY)(?= |$)");

    /**
     * Wraps an error reply.
     *
     * @param message the whole reply, without the leading minus
     */
    public RedisErrorException(String message) {
        super(Names.escapeReason(withoutIds(withoutArguments(withoutFrame(String.valueOf(message))))));
    }

    /**
     * Wraps an error reply to the commands that begin a connection, which have the password. A server that repeats what it was
     * sent must not bring the password into a log: so of a text that is not known to be harmless, the message has the first word.
     *
     * @param reply the whole reply, without the leading minus
     * @return the exception
     */
    public static RedisErrorException ofLogin(String reply) {
        Matcher known = OF_LOGIN.matcher(NAMED_USER.matcher(reply).replaceFirst("NOPERM this user has"));
        if (known.find()) {
            return new RedisErrorException(known.group());
        }
        Matcher code = CODE.matcher(reply);
        return new RedisErrorException((code.find() ? code.group() : "ERR")
                + " (the rest of the reply is left out, because it may repeat the password)");
    }

    /**
     * A server may repeat what it was sent, and whoever has an id of a hold can end the hold. So each is shown as AcquisitionId shows
     * it.
     */
    private static String withoutIds(String reply) {
        return REDIRECTION.matcher(reply).find()
                ? reply
                : ID.matcher(reply).replaceAll(id -> id.group().substring(0, SHOWN_OF_ID) + "...");
    }

    private static String withoutArguments(String reply) {
        Matcher unknown = UNKNOWN_COMMAND.matcher(reply);
        return unknown.find() ? unknown.group() : reply;
    }

    private static String withoutFrame(String reply) {
        Matcher frame = INSIDE_SCRIPT.matcher(reply);
        return frame.find() ? reply.substring(frame.end()) : reply;
    }

    /**
     * Returns whether the server does not know the command, which so has not run.
     *
     * @return true for a command that was renamed, or that a service does not offer
     */
    public boolean isUnknownCommand() {
        return UNKNOWN_COMMAND.matcher(String.valueOf(getMessage())).find();
    }

    /**
     * Returns whether the server does not know the user by this password, or was given none.
     *
     * @return true for {@code WRONGPASS} and {@code NOAUTH}
     */
    public boolean refusesCredentials() {
        return CREDENTIALS.contains(code());
    }

    /**
     * Returns whether the server refuses the command to this user for good; any other refusal may pass.
     *
     * @return true if it {@linkplain #refusesCredentials() does not know the user}, or the user lacks a right ({@code NOPERM})
     */
    public boolean refusesUser() {
        return code().equals("NOPERM") || refusesCredentials();
    }

    /**
     * Returns the first word of the reply, such as {@code OOM} or {@code NOPERM}.
     *
     * @return the code
     */
    public String code() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
