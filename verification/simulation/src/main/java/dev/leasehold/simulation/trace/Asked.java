package dev.leasehold.simulation.trace;

import java.util.List;

/**
 * A call of a script in the terms of the model: the request, and the numbers of its answer. What a request has not is 0.
 *
 * @param op the operation of the model; "look" if the script leaves the hold as it is, "other" if the model has none
 * @param lease how long the hold is to last, in microseconds
 * @param tokens how many tokens are reserved
 * @param used the last token that was used
 * @param last the last token of the hold, as the client knows it
 * @param again whether the hold is retained already
 * @param left how long the hold lasts, by the answer; below 0 if it does not say
 * @param token the first token of the answer
 * @param highest its last token
 */
record Asked(
        String op,
        String id,
        long lease,
        long notAfter,
        long floor,
        long tokens,
        long used,
        long last,
        boolean again,
        long left,
        long token,
        long highest) {

    private static final int ARG_USED = 5;
    private static final int ARG_LAST = 6;

    static Asked of(Answered call) {
        List<String> args = call.args();
        return switch (call.script()) {
            case "acquire_free" -> acquire(call, 1);
            case "acquire" -> acquire(call, number(args, 9));
            case "renew" -> new Asked("renew", call.id(), number(args, 1), 0, 0, 0, 0, 0, false, left(call), 0, 0);
            case "confirm" -> new Asked("renew", call.id(), 0, 0, 0, 0, 0, 0, false, -1, 0, 0);
            case "release" -> {
                boolean retained = args.size() > ARG_LAST;
                long used = retained ? number(args, ARG_USED) : 0;
                long last = retained ? number(args, ARG_LAST) : 0;
                yield new Asked("release", call.id(), 0, number(args, 1), 0, 0, used, last, false, -1, 0, 0);
            }
            case "retain" -> {
                boolean again = number(args, 5) == 1;
                long last = number(args, 3);
                yield granting("retain", call, number(args, 1), 0, last, again);
            }
            case "go_on" -> granting("go_on", call, number(args, 1), number(args, 4), 0, false);
            case "look", "leave", "request_release", "inspect" ->
                new Asked("look", "", 0, 0, 0, 0, 0, 0, false, -1, 0, 0);
            default -> new Asked("other", "", 0, 0, 0, 0, 0, 0, false, -1, 0, 0);
        };
    }

    private static Asked acquire(Answered call, long tokens) {
        List<String> args = call.args();
        List<String> reply = call.reply();
        boolean granted = call.word().equals("granted");
        // The token of a lock that was free is the time of its grant.
        boolean free = granted && reply.size() == 2;
        long token = free ? number(reply, 1) : granted ? number(reply, 3) : 0;
        return new Asked(
                "acquire",
                call.id(),
                number(args, 1),
                number(args, 2),
                number(args, 3),
                tokens,
                0,
                0,
                false,
                free ? number(args, 1) : granted || call.word().equals("busy") ? number(reply, 2) : -1,
                token,
                granted && reply.size() > 4 ? number(reply, 4) : token);
    }

    private static Asked granting(String op, Answered call, long lease, long tokens, long last, boolean again) {
        boolean going = call.word().equals("going");
        return new Asked(
                op,
                call.id(),
                lease,
                0,
                0,
                tokens,
                0,
                last,
                again,
                left(call),
                going ? number(call.reply(), 3) : 0,
                going ? number(call.reply(), 4) : 0);
    }

    private static long left(Answered call) {
        return List.of("renewed", "asked", "going").contains(call.word()) ? number(call.reply(), 2) : -1;
    }

    private static long number(List<String> texts, int index) {
        return Long.parseLong(texts.get(index));
    }
}
