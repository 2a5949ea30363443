package dev.leasehold.simulation.trace;

import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/**
 * What a script did with one lock, as if it had been called for that lock alone.
 *
 * @param script the name of the script that decides about one lock
 * @param key the key of the lock
 * @param args its arguments
 * @param reply its reply
 */
public record Answered(String script, String key, List<String> args, List<String> reply) {

    private static final int ACQUIRE_FREE_ARGS = 7;
    private static final int NAMED_ARGS = 12;

    /** Returns the first word of the reply. */
    public String word() {
        return reply.get(0);
    }

    /** Returns the id of the acquisition, if the script is about one. */
    public String id() {
        return args.isEmpty() ? "" : args.get(0);
    }

    /** Splits a call into what it did with each of its locks. Locks about which a script did not decide are left out. */
    public static List<Answered> each(ScriptCall call, List<String> answer) {
        // A script may make one text of its reply, with blanks between the words.
        List<String> reply = answer.size() == 1 ? List.of(answer.get(0).split(" ", -1)) : answer;
        String name = call.script().name();
        List<Answered> all = new ArrayList<>();
        if (call.keys().isEmpty()) {
            return all;
        }
        switch (name) {
            case "combined" -> combined(call, reply, all);
            case "acquire_many" -> acquired(call, reply, all);
            case "renew_many" -> many(call, reply, 2, "renew", all);
            case "plain_renew_many" -> many(call, reply, 1, "plain_renew", all);
            case "confirm_many" -> many(call, reply, 1, "confirm", all);
            case "look_many" -> many(call, reply, 1, "look", all);
            default -> all.add(new Answered(name, call.keys().get(0), call.args(), reply));
        }
        return all;
    }

    private static void combined(ScriptCall call, List<String> reply, List<Answered> all) {
        int acquisitions = Integer.parseInt(call.args().get(0));
        int first = 1;
        for (int n = 0; n < call.keys().size(); n++) {
            boolean acquires = n < acquisitions;
            int count = acquires ? ACQUIRE_FREE_ARGS : 1;
            String word = reply.get(0).equals("all") ? acquires ? "granted" : "released" : reply.get(2 + n);
            List<String> args = new ArrayList<>(call.args().subList(first, first + count));
            first += count;
            if (!acquires) {
                // The usual release: no other copy of its acquire was sent.
                args.add("0");
            }
            List<String> one = new ArrayList<>(List.of(word.split(":", -1)));
            one.add(1, reply.get(1));
            all.add(new Answered(
                    acquires ? "acquire_free" : "release", call.keys().get(n), args, one));
        }
    }

    private static void acquired(ScriptCall call, List<String> reply, List<Answered> all) {
        int count = Integer.parseInt(call.args().get(1));
        for (int n = 0; n < call.keys().size(); n++) {
            String outcome = reply.get(2 + 2 * n);
            if (!outcome.equals("untried") && !outcome.equals("failed")) {
                List<String> one = new ArrayList<>(List.of(outcome, reply.get(1)));
                one.addAll(List.of(reply.get(3 + 2 * n).split(" ", -1)));
                int first = 2 + n * count;
                all.add(new Answered(
                        count == NAMED_ARGS ? "acquire_named" : "acquire",
                        call.keys().get(n),
                        call.args().subList(first, first + count),
                        one));
            }
        }
    }

    /** Splits a call with arguments that concern all locks, followed by one for each. */
    private static void many(ScriptCall call, List<String> reply, int shared, String script, List<Answered> all) {
        for (int n = 0; n < call.keys().size(); n++) {
            boolean alike = reply.get(0).equals("all");
            String outcome = alike ? "renewed" : reply.get(2 + 2 * n);
            if (!outcome.equals("failed")) {
                List<String> args = new ArrayList<>(List.of(call.args().get(shared + n)));
                args.addAll(call.args().subList(0, shared));
                String detail = alike ? call.args().get(0) : reply.get(3 + 2 * n);
                all.add(new Answered(script, call.keys().get(n), args, List.of(outcome, reply.get(1), detail)));
            }
        }
    }
}
