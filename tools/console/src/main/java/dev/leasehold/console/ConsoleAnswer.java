package dev.leasehold.console;

/** What the server sends for a request: a reply, or a stream of events. */
public sealed interface ConsoleAnswer permits ConsoleReply, ConsoleStream {}
